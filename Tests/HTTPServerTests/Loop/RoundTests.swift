import CLinux
import HTTPModel
import Testing

@testable import HTTPServer

/// The work of one round of a loop, and the work that it leaves to the next round.
@Suite struct RoundTests {
    /// A loop that is run manually, and a log of the events on it.
    private final class LoopFixture {
        let loop: EpollEventLoop
        let clock = ManualClock(nanoseconds: 1_000_000_000_000)
        let socket = Probe("socket")
        /// The events since the last run, in order.
        var events: [String] = []

        init() throws {
            loop = try EpollEventLoop(index: 0, count: 1)
            loop.takeManualControl(clock)
            watch([socket])
        }

        deinit {
            loop.stop {}
            while loop.runRoundManually() {}
        }

        func watch(_ probes: [Probe]) {
            inRound { fixture in
                for probe in probes {
                    probe.fixture = fixture
                    _ = fixture.loop.add(probe, for: granary_readable | granary_edge_triggered)
                }
            }
        }

        /// Runs a closure in a round.
        func inRound(_ work: @escaping (LoopFixture) -> Void) {
            let task = TransferredTask(fixture: self, work: work)
            loop.execute { task.run() }
            _ = loop.runRoundManually()
        }

        /// Runs a round and returns its events.
        func run() -> [String] {
            _ = loop.runRoundManually()
            defer { events = [] }
            return events
        }

        /// Runs a closure as soon as the loop has nothing else to do, or after a millisecond.
        func whenIdle(_ work: @escaping (LoopFixture) -> Void) {
            let task = TransferredTask(fixture: self, work: work)
            loop.executeWhenIdle(orAfter: .milliseconds(1)) { task.run() }
        }

        /// Schedules a timer without a delay that schedules the next one.
        func scheduleEndlessTimers() {
            _ = loop.schedule(after: .zero) { [weak self] in
                self?.events.append("timer")
                self?.scheduleEndlessTimers()
            }
        }
    }

    /// A socket that a loop watches, and its other end.
    private final class Probe: EpollHandler {
        weak var fixture: LoopFixture?
        private let name: String
        private let peer: Int32

        init(_ name: String) {
            var ends: [Int32] = [-1, -1]
            _ = granary_memory_pair(&ends, 0)
            self.name = name
            peer = ends[0]
            super.init(descriptor: ends[1])
        }

        deinit {
            granary_close(peer)
            granary_close(descriptor)
        }

        func touch() { _ = granary_send(peer, "x", 1) }

        override func becameReady(_ readiness: UInt32) { fixture?.events.append(name) }
        override func roundEnded() { fixture?.events.append(name) }
    }

    /// Sendable because the test runs the loop on its own thread.
    private struct TransferredTask: @unchecked Sendable {
        let fixture: LoopFixture
        let work: (LoopFixture) -> Void
        func run() { work(fixture) }
    }

    @Test func `a timer without a delay fires in the next round, once`() throws {
        let fixture = try LoopFixture()
        fixture.inRound { fixture in
            _ = fixture.loop.schedule(after: .zero) { fixture.events.append("first") }
            _ = fixture.loop.schedule(after: .zero) { fixture.events.append("second") }
            fixture.loop.schedule(after: .zero) { fixture.events.append("cancelled") }.cancel()
        }
        #expect(fixture.events == [])
        #expect(fixture.run() == ["first", "second"])
        #expect(fixture.run() == [])
    }

    @Test func `a loop with a timer without a delay does not wait`() throws {
        let fixture = try LoopFixture()
        fixture.inRound { fixture in _ = fixture.loop.schedule(after: .zero) {} }
        #expect(fixture.loop.needsRound)
        _ = fixture.run()
        #expect(!fixture.loop.needsRound)
    }

    @Test func `timers that endlessly schedule each other do not delay sockets and tasks`() throws {
        let fixture = try LoopFixture()
        fixture.inRound { $0.scheduleEndlessTimers() }
        for _ in 0..<100 {
            fixture.socket.touch()
            let task = TransferredTask(fixture: fixture) { $0.events.append("work") }
            fixture.loop.execute { task.run() }
            #expect(fixture.run() == ["socket", "work", "timer"])
        }
    }

    @Test func `a timer without a delay that a late timer schedules fires in the next round`() throws {
        let fixture = try LoopFixture()
        fixture.inRound { fixture in
            _ = fixture.loop.schedule(after: .milliseconds(5)) {
                fixture.events.append("late")
                _ = fixture.loop.schedule(after: .zero) { fixture.events.append("behind it") }
            }
            _ = fixture.loop.schedule(after: .milliseconds(6)) { fixture.events.append("later") }
        }
        fixture.clock.nanoseconds += 10_000_000
        #expect(fixture.run() == ["late", "later"])
        #expect(fixture.run() == ["behind it"])
    }

    @Test func `a zero-delay timer that was scheduled earlier fires before timers that became due meanwhile`() throws {
        let fixture = try LoopFixture()
        fixture.inRound { fixture in
            _ = fixture.loop.schedule(after: .milliseconds(1)) { fixture.events.append("due later") }
            _ = fixture.loop.schedule(after: .zero) { fixture.events.append("due first") }
        }
        fixture.clock.nanoseconds += 10_000_000
        #expect(fixture.run() == ["due first", "due later"])
    }

    @Test func `many end-of-round calls are spread over several rounds, with new events in between`() throws {
        let fixture = try LoopFixture()
        let waiting = (0..<1000).map { _ in Probe("end") }
        fixture.watch(waiting)
        fixture.inRound { fixture in for probe in waiting { fixture.loop.mark(probe) } }
        var called = fixture.events.count
        fixture.events = []
        while fixture.loop.needsRound {
            fixture.socket.touch()
            let events = fixture.run()
            #expect(events.first == "socket")
            #expect(events.count <= 300)
            called += events.count - 1
        }
        #expect(called == 1000)
    }

    @Test func `a yielding handler is called once, after the marked ones`() throws {
        let fixture = try LoopFixture()
        let (yielding, marked) = (Probe("yielding"), Probe("marked"))
        fixture.watch([yielding, marked])
        fixture.inRound { fixture in
            fixture.loop.yield(yielding)
            fixture.loop.mark(marked)
            fixture.loop.mark(yielding)
            fixture.loop.yield(yielding)
        }
        #expect(fixture.events == ["marked", "yielding"])
        fixture.events = []
        #expect(fixture.run() == [])
        fixture.inRound { fixture in
            fixture.loop.yield(yielding)
            fixture.loop.mark(marked)
            fixture.loop.unmark(yielding)
        }
        #expect(fixture.events == ["marked"])
    }

    @Test func `work for an idle loop runs in the first round that finds nothing`() throws {
        let fixture = try LoopFixture()
        fixture.inRound { $0.whenIdle { $0.events.append("idle") } }
        #expect(fixture.loop.needsRound)
        for _ in 0..<3 {
            fixture.socket.touch()
            #expect(fixture.run() == ["socket"])
        }
        #expect(fixture.run() == ["idle"])
        #expect(!fixture.loop.needsRound)
        #expect(fixture.run() == [])
    }

    @Test func `work for an idle loop runs on a busy one after its delay`() throws {
        let fixture = try LoopFixture()
        fixture.inRound { fixture in
            fixture.whenIdle { $0.events.append("first") }
        }
        fixture.clock.nanoseconds += 999_999
        fixture.socket.touch()
        #expect(fixture.run() == ["socket"])
        fixture.inRound { $0.whenIdle { $0.events.append("second") } }
        fixture.events = []
        fixture.clock.nanoseconds += 1
        fixture.socket.touch()
        #expect(fixture.run() == ["socket", "first", "second"])
    }

    @Test func `work for an idle loop that adds such work leaves it to another round`() throws {
        let fixture = try LoopFixture()
        fixture.inRound { fixture in
            fixture.whenIdle { fixture in
                fixture.events.append("outer")
                fixture.whenIdle { $0.events.append("inner") }
            }
        }
        #expect(fixture.run() == ["outer"])
        #expect(fixture.loop.needsRound)
        #expect(fixture.run() == ["inner"])
        #expect(!fixture.loop.needsRound)
    }

    @Test func `a loop that stops does its work for an idle loop first`() throws {
        let fixture = try LoopFixture()
        fixture.inRound { $0.whenIdle { $0.events.append("idle") } }
        fixture.loop.stop {}
        #expect(fixture.run() == ["idle"])
    }
}
