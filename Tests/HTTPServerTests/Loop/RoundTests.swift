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

        /// Queues a task, which adds an event and takes some nanoseconds.
        func execute(
            _ name: String, taking nanoseconds: UInt64, for peer: HTTPPeer? = nil,
            _ work: @escaping (LoopFixture) -> Void = { _ in }
        ) {
            let task = TransferredTask(fixture: self) { fixture in
                fixture.events.append(name)
                fixture.clock.nanoseconds += nanoseconds
                work(fixture)
            }
            guard let peer else { return loop.execute { task.run() } }
            loop.execute(for: WorkSource(peer)) { task.run() }
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

    // The time of a round

    @Test func `tasks that take long are left to later rounds, with new events in between`() throws {
        let fixture = try LoopFixture()
        for name in ["1", "2", "3"] { fixture.execute(name, taking: 2_000_000) }
        fixture.socket.touch()
        #expect(fixture.run() == ["socket", "1"])
        fixture.execute("4", taking: 2_000_000)
        fixture.socket.touch()
        #expect(fixture.loop.needsRound)
        #expect(fixture.run() == ["socket", "2"])
        #expect(fixture.run() == ["3"])
        #expect(fixture.run() == ["4"])
        #expect(!fixture.loop.needsRound)
        #expect(fixture.run() == [])
    }

    @Test func `tasks of sources take turns, after tasks without a source`() throws {
        let fixture = try LoopFixture()
        let (peer, other) = (HTTPPeer(address: "192.0.2.1", port: 1), HTTPPeer(address: "192.0.2.1", port: 2))
        for name in ["a1", "a2", "a3", "a4", "a5"] { fixture.execute(name, taking: 2_000_000, for: peer) }
        #expect(fixture.run() == ["a1", "a2"])
        for name in ["b1", "b2"] { fixture.execute(name, taking: 2_000_000, for: other) }
        fixture.execute("own", taking: 2_000_000)
        var events: [String] = []
        while fixture.loop.needsRound { events += fixture.run() }
        #expect(events == ["own", "a3", "b1", "a4", "b2", "a5"])
    }

    @Test func `each kind of work has a part of each round, however long the others take`() throws {
        let fixture = try LoopFixture()
        let (peer, marked, yielding) = (HTTPPeer(address: "192.0.2.1", port: 1), Probe("marked"), Probe("yielding"))
        fixture.watch([marked, yielding])
        fixture.inRound { fixture in
            for _ in 0..<2 {
                _ = fixture.loop.schedule(after: .milliseconds(1)) { [weak fixture] in
                    fixture?.events.append("timer")
                    fixture?.clock.nanoseconds += 2_000_000
                }
            }
        }
        for name in ["1", "2", "3"] { fixture.execute(name, taking: 2_000_000, for: peer) }
        #expect(fixture.run() == ["1", "2"])
        fixture.execute("own 1", taking: 2_000_000) { fixture in
            fixture.loop.mark(marked)
            fixture.loop.yield(yielding)
        }
        fixture.execute("own 2", taking: 2_000_000)
        #expect(fixture.run() == ["own 1", "3", "timer", "marked", "yielding"])
        #expect(fixture.run() == ["own 2", "timer"])
        #expect(fixture.run() == [])
    }

    @Test func `a loop that stops runs all tasks that were queued before`() throws {
        let fixture = try LoopFixture()
        let peer = HTTPPeer(address: "192.0.2.1", port: 1)
        for name in ["1", "2", "3", "4"] { fixture.execute(name, taking: 2_000_000, for: peer) }
        fixture.loop.stop {}
        fixture.execute("behind it", taking: 2_000_000)
        #expect(fixture.run() == ["1", "2"])
        #expect(fixture.run() == ["behind it", "3", "4"])
    }
}
