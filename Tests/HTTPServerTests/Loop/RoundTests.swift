import CLinux
import HTTPModel
import Testing

@testable import HTTPServer

/// What one round of a loop does, and what it leaves to the next.
@Suite struct RoundTests {
    /// A loop that is run manually, and the events on it.
    private final class Bench {
        let loop: EpollEventLoop
        let clock = ManualClock(nanoseconds: 1_000_000_000_000)
        let socket = Probe("socket")
        /// What ran since it was last looked at, in order.
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
            inRound { bench in
                for probe in probes {
                    probe.bench = bench
                    _ = bench.loop.add(probe, for: granary_readable | granary_edge_triggered)
                }
            }
        }

        /// Does something in a round.
        func inRound(_ work: @escaping (Bench) -> Void) {
            let parcel = Parcel(bench: self, work: work)
            loop.execute { parcel.open() }
            _ = loop.runRoundManually()
        }

        /// Runs a round; returns what happened in it.
        func run() -> [String] {
            _ = loop.runRoundManually()
            defer { events = [] }
            return events
        }

        /// Sets a timer without a delay that sets the next one.
        func goRoundInCircles() {
            _ = loop.schedule(after: .zero) { [weak self] in
                self?.events.append("timer")
                self?.goRoundInCircles()
            }
        }
    }

    /// A socket that a loop watches, and the other end of it.
    private final class Probe: EpollHandler {
        weak var bench: Bench?
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

        override func becameReady(_ readiness: UInt32) { bench?.events.append(name) }
        override func roundEnded() { bench?.events.append(name) }
    }

    /// Sendable: it goes from the test to the loop that the test runs, on one thread.
    private struct Parcel: @unchecked Sendable {
        let bench: Bench
        let work: (Bench) -> Void
        func open() { work(bench) }
    }

    @Test func `a timer without a delay fires in the next round, and only once`() throws {
        let bench = try Bench()
        bench.inRound { bench in
            _ = bench.loop.schedule(after: .zero) { bench.events.append("first") }
            _ = bench.loop.schedule(after: .zero) { bench.events.append("second") }
            bench.loop.schedule(after: .zero) { bench.events.append("cancelled") }.cancel()
        }
        #expect(bench.events == [])
        #expect(bench.run() == ["first", "second"])
        #expect(bench.run() == [])
    }

    @Test func `a loop with a timer without a delay does not wait`() throws {
        let bench = try Bench()
        bench.inRound { bench in _ = bench.loop.schedule(after: .zero) {} }
        #expect(bench.loop.needsRound)
        _ = bench.run()
        #expect(!bench.loop.needsRound)
    }

    @Test func `timers that set each other without end leave each round to sockets and to work from outside`() throws {
        let bench = try Bench()
        bench.inRound { $0.goRoundInCircles() }
        for _ in 0..<100 {
            bench.socket.touch()
            let parcel = Parcel(bench: bench) { $0.events.append("work") }
            bench.loop.execute { parcel.open() }
            #expect(bench.run() == ["socket", "work", "timer"])
        }
    }

    @Test func `a timer that a socket's event or a late deadline sets waits for the next round, too`() throws {
        let bench = try Bench()
        bench.inRound { bench in
            _ = bench.loop.schedule(after: .milliseconds(5)) {
                bench.events.append("late")
                _ = bench.loop.schedule(after: .zero) { bench.events.append("behind it") }
            }
            _ = bench.loop.schedule(after: .milliseconds(6)) { bench.events.append("later") }
        }
        bench.clock.nanoseconds += 10_000_000
        #expect(bench.run() == ["late", "later"])
        #expect(bench.run() == ["behind it"])
    }

    @Test func `one that was set before fires before those that became due meanwhile`() throws {
        let bench = try Bench()
        bench.inRound { bench in
            _ = bench.loop.schedule(after: .milliseconds(1)) { bench.events.append("due later") }
            _ = bench.loop.schedule(after: .zero) { bench.events.append("due first") }
        }
        bench.clock.nanoseconds += 10_000_000
        #expect(bench.run() == ["due first", "due later"])
    }

    @Test func `many that wait for the end of a round are called over several, with new events in between`() throws {
        let bench = try Bench()
        let waiting = (0..<1000).map { _ in Probe("end") }
        bench.watch(waiting)
        bench.inRound { bench in for probe in waiting { bench.loop.mark(probe) } }
        var called = bench.events.count
        bench.events = []
        while bench.loop.needsRound {
            bench.socket.touch()
            let events = bench.run()
            #expect(events.first == "socket")
            #expect(events.count <= 300)
            called += events.count - 1
        }
        #expect(called == 1000)
    }

    @Test func `who yields is called after those that are marked, and once however often it asks`() throws {
        let bench = try Bench()
        let (yielding, marked) = (Probe("yielding"), Probe("marked"))
        bench.watch([yielding, marked])
        bench.inRound { bench in
            bench.loop.yield(yielding)
            bench.loop.mark(marked)
            bench.loop.mark(yielding)
            bench.loop.yield(yielding)
        }
        #expect(bench.events == ["marked", "yielding"])
        bench.events = []
        #expect(bench.run() == [])
        bench.inRound { bench in
            bench.loop.yield(yielding)
            bench.loop.mark(marked)
            bench.loop.unmark(yielding)
        }
        #expect(bench.events == ["marked"])
    }
}
