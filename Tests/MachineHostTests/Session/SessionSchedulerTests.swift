import CombineCore
import Dispatch
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// The scheduler of a session.
struct SessionSchedulerTests {
    private struct Fixture {
        let harness: HostHarness
        let session: String
        let scheduler: SessionScheduler
        let machine: ScriptedMachine

        /// Ends the session.
        func end() { _ = harness.send(.delete, session) }
    }

    private func fixture() throws -> Fixture {
        let made = Lock<Created?>(nil)
        let harness = try HostHarness([counter { machine in made.withLock { $0 = Created(machine) } }])
        let session = harness.makeSession()
        let machine = try #require(made.withLock { $0 }).machine
        return Fixture(
            harness: harness, session: session, scheduler: machine.context.scheduler, machine: machine)
    }

    private func log(_ log: Log, _ text: String) -> () -> Void {
        { log.lines.withLock { $0.append(text) } }
    }

    /// The actions that ran, in order.
    private final class Log: Sendable {
        let lines = Lock<[String]>([])
        var all: [String] { lines.withLock { $0 } }
    }

    @Test func `blocks run in call order, timers in deadline order`() throws {
        let (fixture, log) = (try fixture(), Log())
        for text in ["a", "b", "c"] { fixture.scheduler.schedule(self.log(log, text)) }
        for (text, delay) in [("3", 3), ("1", 1), ("-", -5), ("2", 2), ("1 too", 1)] {
            _ = fixture.scheduler.schedule(after: .seconds(delay), repeating: nil, self.log(log, text))
        }
        #expect(log.all.isEmpty)
        fixture.harness.loop.run()
        #expect(log.all == ["a", "b", "c"])
        fixture.harness.loop.advance(by: .seconds(3))
        #expect(log.all == ["a", "b", "c", "-", "1", "1 too", "2", "3"])
    }

    @Test func `a cancelled block never runs and is freed immediately`() throws {
        let (fixture, log) = (try fixture(), Log())
        weak var captured: Captured?
        do {
            let held = Captured()
            captured = held
            let block = fixture.scheduler.schedule(after: .seconds(1), repeating: nil) {
                withExtendedLifetime(held) { self.log(log, "ran")() }
            }
            #expect(fixture.harness.loop.timerCount == 2)
            block.cancel()
            block.cancel()
        }
        #expect(captured == nil)
        #expect(fixture.harness.loop.timerCount == 1)
        fixture.harness.loop.advance(by: .seconds(2))
        #expect(log.all.isEmpty)
    }

    @Test func `a timer can be cancelled from another thread before and after it is armed`() throws {
        let (fixture, log) = (try fixture(), Log())
        let armed = Transferred(fixture.scheduler.schedule(after: .seconds(1), repeating: nil, self.log(log, "armed")))
        onAnotherThread { armed.value.cancel() }
        let scheduler = fixture.scheduler
        onAnotherThread { scheduler.schedule(after: .seconds(1), repeating: nil, self.log(log, "unarmed")).cancel() }
        onAnotherThread { _ = scheduler.schedule(after: .seconds(1), repeating: nil, self.log(log, "kept")) }
        fixture.harness.loop.advance(by: .seconds(5))
        #expect(log.all == ["kept"])
    }

    @Test func `a repeating timer can cancel itself`() throws {
        let (fixture, log) = (try fixture(), Log())
        let timer = Lock<ScheduledBlock?>(nil)
        let scheduled = fixture.scheduler.schedule(after: .seconds(1), repeating: .seconds(2)) {
            self.log(log, "tick")()
            if log.all.count == 3 { timer.withLock { $0 }?.cancel() }
        }
        timer.withLock { $0 = scheduled }
        fixture.harness.loop.advance(by: .seconds(4))
        #expect(log.all.count == 2)
        fixture.harness.loop.advance(by: .seconds(60))
        #expect(log.all.count == 3)
        #expect(fixture.harness.loop.timerCount == 1)
        timer.withLock { $0 = nil }
    }

    @Test(arguments: [
        (stall: Duration.milliseconds(250), moments: [1_250, 2_000, 3_000, 4_000]),
        (stall: .milliseconds(999), moments: [1_999, 2_000, 3_000, 4_000]),
        (stall: .milliseconds(2_500), moments: [3_500, 4_000, 5_000, 6_000]),
    ])
    func `a repeating timer stays on its grid and skips missed ticks, like one on the main queue`(
        stall: Duration, moments: [Int]
    ) throws {
        let fixture = try fixture()
        let loop = fixture.harness.loop
        let start = loop.now
        let (own, queue) = (Lock<[Int]>([]), Lock<[Int]>([]))
        func note(_ list: Lock<[Int]>) {
            list.withLock { $0.append(Int((loop.now - start).wholeMilliseconds)) }
        }
        let timer = fixture.scheduler.schedule(after: .seconds(1), repeating: .seconds(1)) { note(own) }
        let standIn = MainQueueSubstitute(fixture.scheduler)
        let other = MainTimer.start(on: standIn, after: .seconds(1), every: .seconds(1)) { note(queue) }
        loop.advance(by: .milliseconds(500))
        loop.stall(for: stall + .milliseconds(500))
        loop.advance(by: .zero)
        loop.advance(by: .seconds(3))
        #expect(own.withLock { $0 } == moments)
        #expect(queue.withLock { $0 } == moments)
        timer.cancel()
        other.cancel()
    }

    @Test func `a repeating timer with slow actions does not drift`() throws {
        let fixture = try fixture()
        let loop = fixture.harness.loop
        let start = loop.now
        let moments = Lock<[Duration]>([])
        let timer = fixture.scheduler.schedule(after: .milliseconds(10), repeating: .milliseconds(10)) {
            moments.withLock { $0.append(loop.now - start) }
            loop.stall(for: .milliseconds(7))
        }
        loop.advance(by: .milliseconds(1_000))
        #expect(moments.withLock { $0 } == (1...100).map { .milliseconds(10 * $0) })
        timer.cancel()
    }

    @Test func `a repeating timer with a zero interval does not block other work`() throws {
        let (fixture, log) = (try fixture(), Log())
        let timer = fixture.scheduler.schedule(after: .zero, repeating: .zero, self.log(log, "tick"))
        fixture.harness.loop.advance(by: .milliseconds(1))
        #expect(log.all.count == 11)
        timer.cancel()
    }

    @Test func `nothing runs or is retained after the session has ended`() throws {
        let (fixture, log) = (try fixture(), Log())
        weak var captured: Captured?
        do {
            let held = Captured()
            captured = held
            fixture.scheduler.schedule { withExtendedLifetime(held) { self.log(log, "block")() } }
            _ = fixture.scheduler.schedule(after: .seconds(1), repeating: .seconds(1)) {
                withExtendedLifetime(held) { self.log(log, "timer")() }
            }
        }
        fixture.end()
        fixture.scheduler.schedule(self.log(log, "late block"))
        _ = fixture.scheduler.schedule(after: .zero, repeating: nil, self.log(log, "late timer"))
        fixture.harness.loop.advance(by: .seconds(10))
        #expect(log.all.isEmpty)
        #expect(captured == nil)
    }

    @Test func `a block is a turn, even if another thread scheduled it`() throws {
        let fixture = try fixture()
        let follower = fixture.harness.follow(fixture.session)
        follower.read()
        let (scheduler, machine) = (fixture.scheduler, Transferred(fixture.machine))
        onAnotherThread {
            scheduler.schedule {
                for count in 1...3 { machine.value.set("count", to: "\(count)") }
                machine.value.set("isEven", to: "false")
            }
        }
        #expect(!follower.isReady)
        fixture.harness.loop.run()
        follower.read()
        #expect(follower.events.map(\.data) == ["{\"count\":0,\"isEven\":true}", "{\"count\":3,\"isEven\":false}"])
    }

    @Test func `timed operators use the session's clock`() throws {
        let (fixture, log) = (try fixture(), Log())
        let letters = PassthroughSubject<String, Never>()
        let token = letters.debounce(for: .milliseconds(300), scheduler: fixture.scheduler)
            .sink { letter in log.lines.withLock { $0.append(letter) } }
        letters.send("a")
        fixture.harness.loop.advance(by: .milliseconds(299))
        letters.send("b")
        fixture.harness.loop.advance(by: .milliseconds(299))
        #expect(log.all.isEmpty)
        fixture.harness.loop.advance(by: .milliseconds(1))
        #expect(log.all == ["b"])
        token.cancel()
    }

    private final class Captured {}
}

/// Sendable because tests use it on the loop's thread only.
private final class Created: @unchecked Sendable {
    let machine: ScriptedMachine

    init(_ machine: ScriptedMachine) {
        self.machine = machine
    }
}

/// Sendable because the other thread only calls methods that are safe on any thread, or returns the value to the loop.
private struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
