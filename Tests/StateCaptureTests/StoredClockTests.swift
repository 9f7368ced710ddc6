import Locking
import StateCapture
import Testing

/// The clock of stored times, on a system whose clocks the test sets.
struct StoredClockTests {
    private struct System {
        var uptime: Int64 = 50_000_000_000
        var wallTime: Int64 = 1_000_000_000_000
        /// How long each reading of a clock takes.
        var delay: Int64 = 0
    }

    private let system = Lock(System())

    private func makeClock() -> StoredClock {
        StoredClock { [system] in
            system.withLock { system in
                system.uptime += system.delay
                return system.uptime
            }
        } wallTime: { [system] in
            system.withLock { $0.wallTime }
        }
    }

    private func pass(_ nanoseconds: Int64) {
        system.withLock { system in
            system.uptime += nanoseconds
            system.wallTime += nanoseconds
        }
    }

    @Test func `the clock begins with the wall clock`() {
        let clock = makeClock()
        #expect(clock.now == 1_000_000_000_000)
        #expect(clock.offset == 950_000_000_000)
        #expect(clock.wallLead == 0)
    }

    @Test(arguments: [7_200_000, -3_600_000, 10] as [Int64])
    func `a step of the wall clock changes its lead and not the stored time`(milliseconds: Int64) {
        let clock = makeClock()
        pass(5_000_000)
        system.withLock { $0.wallTime += milliseconds * 1_000_000 }
        #expect(clock.wallLead == 0)
        #expect(clock.deriveWallLead() == milliseconds)
        #expect(clock.wallLead == milliseconds)
        #expect(clock.now == 1_000_005_000_000)
        pass(1_000_000_000)
        #expect(clock.deriveWallLead() == milliseconds)
        system.withLock { $0.wallTime -= milliseconds * 1_000_000 }
        #expect(clock.deriveWallLead() == 0)
    }

    @Test func `a small difference between two readings is no step`() {
        let clock = makeClock()
        system.withLock { $0.wallTime += 9_000_000 }
        #expect(clock.deriveWallLead() == 0)
    }

    @Test func `readings that a suspended thread has taken apart do not count`() {
        let clock = makeClock()
        system.withLock { system in
            system.wallTime += 7_200_000_000_000
            system.delay = 2_000_000
        }
        #expect(clock.deriveWallLead() == 0)
        system.withLock { $0.delay = 0 }
        #expect(clock.deriveWallLead() != 0)
    }

    @Test func `a clock continues that of another process`() {
        let clock = makeClock()
        clock.continueFrom(offset: 3_000_000_000, lead: 20)
        #expect(clock.now == 53_000_000_000)
        #expect(clock.wallLead == 20)
    }

    @Test func `the uptime of a moment ago is the uptime`() {
        let clock = makeClock()
        #expect(clock.uptimeLead(over: 49_500_000_000) == 0)
        #expect(clock.uptimeLead(over: 1_000_000_000) == 49_000_000_000)
        #expect(clock.uptimeLead(over: 60_000_000_000) == -10_000_000_000)
    }
}
