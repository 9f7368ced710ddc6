import CombineCore
import Dispatch
import Glibc
import HTTPModel
import Locking
import Log
import MachineTesting
import Testing

@testable import MachineHost

struct TurnTests {
    @Test func `a nested turn is part of the outer turn`() throws {
        let harness = try HostHarness([
            ScriptedMachine.definition(
                outputs: ["a"],
                inputs: [
                    "nest": { machine, _ in
                        machine.set("a", to: "1")
                        let session = machine.context.scheduler.session
                        let outcome = session.map { session in
                            session.shard.turn(of: session) { _ in machine.set("a", to: "2") }
                        }
                        guard case .unchanged = outcome else { return machine.set("a", to: "-1") }
                        machine.set("a", to: machine.value(of: "a") == "2" ? "3" : "-2")
                    }
                ])
        ])
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        #expect(harness.input(session, "nest").text == "{\"version\":1,\"changes\":{\"a\":3}}")
        follower.read()
        #expect(follower.events.map(\.data) == ["{}", "{\"a\":3}"])
    }

    @Test func `a change inside a turn starts no further turn, and a change outside one does`() throws {
        let machines = Lock<[Weak]>([])
        let harness = try HostHarness([
            counter { machine in machines.withLock { $0.append(Weak(machine)) } }
        ])
        let session = harness.makeSession()
        _ = harness.shard.respond(to: HTTPRequest(method: .post, target: session + "/inputs/increment"))
        #expect(!harness.loop.runRound())
        try #require(machines.withLock { $0[0].machine }).set("count", to: "7")
        #expect(harness.loop.runRound())
        #expect(!harness.loop.runRound())
        #expect(harness.session(at: session)?.version == 2)
    }

    @Test func `a session that is deleted in its own turn publishes nothing of that turn`() throws {
        let ending = Ending()
        let harness = try HostHarness([
            ScriptedMachine.definition(
                outputs: ["a"], events: ["b"],
                inputs: [
                    "leave": { machine, _ in
                        machine.set("a", to: "1")
                        ending.delete()
                        machine.emit("b", "2")
                        machine.set("a", to: "3")
                    }
                ])
        ])
        let session = harness.makeSession()
        ending.delete = { [unowned harness] in _ = harness.send(.delete, session) }
        defer { ending.delete = {} }
        let follower = harness.follow(session)
        follower.read()
        #expect(harness.input(session, "leave").text == "{\"version\":0,\"changes\":{}}")
        follower.read()
        #expect(follower.events.map(\.event) == ["snapshot", "end"])
        #expect(follower.view.emitted.isEmpty)
        #expect(harness.host.sessionCount == 0)
        #expect(harness.host.streamCount == 0)
    }

    @Test func `a session that is deleted while it is ending ends only once`() throws {
        let ending = Ending()
        let machines = Lock<[Weak]>([])
        let harness = try HostHarness([
            counter { machine in
                machines.withLock { $0.append(Weak(machine)) }
                machine.whenEnded = { ending.delete() }
            }
        ])
        let sessions = [harness.makeSession(), harness.makeSession()]
        let statuses = Lock<[HTTPStatus]>([])
        let session = try #require(harness.session(at: sessions[0]))
        ending.delete = { [unowned harness] in
            // Once by a client and once by the host itself.
            harness.shard.end(session, .expired)
            let status = harness.send(.delete, sessions[0]).status
            statuses.withLock { $0.append(status) }
        }
        // The other session ends with the harness.
        defer { ending.delete = {} }
        let follower = harness.follow(sessions[0])
        follower.read()
        #expect(harness.send(.delete, sessions[0]).status == .noContent)
        #expect(statuses.withLock { $0 } == [.gone])
        follower.read()
        #expect(follower.view.end == "{\"reason\":\"deleted\"}")
        #expect(harness.host.sessionCount == 1)
        #expect(harness.host.streamCount == 0)
        #expect(machines.withLock { $0[0].machine } == nil)
    }

    @Test func `changes by a machine during and after the end of its session are neither encoded nor published`() throws
    {
        let written = Lock(0)
        let kept = Lock<[ScriptedMachine]>([])
        let harness = try HostHarness([
            counter { machine in
                kept.withLock { $0.append(machine) }
                machine.whenEnded = { [unowned machine] in
                    machine.outputs.emit(machine.outputs.cells[3]) { _ in written.withLock { $0 += 1 } }
                    machine.set("count", to: "9")
                }
            }
        ])
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        _ = harness.send(.delete, session)
        let machine = kept.withLock { $0[0] }
        machine.outputs.emit(machine.outputs.cells[3]) { _ in written.withLock { $0 += 1 } }
        machine.set("count", to: "10")
        machine.context.scheduler.schedule { written.withLock { $0 += 1 } }
        #expect(!harness.loop.runRound())
        follower.read()
        #expect(follower.events.map(\.event) == ["snapshot", "end"])
        #expect(written.withLock { $0 } == 0)
        #expect(machine.outputs.emissions.isEmpty)
        kept.withLock { $0 = [] }
    }

    @Test func `a scheduled block is its own turn, after the turn that scheduled it`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        #expect(harness.input(session, "later").text == "{\"version\":0,\"changes\":{}}")
        follower.read()
        #expect(follower.events.last?.data == "{\"count\":1,\"isEven\":false}")
        harness.input(session, "inAMinute")
        harness.loop.advance(by: .seconds(59))
        #expect(harness.send(.get, session).text.contains("\"version\":1,"))
        harness.loop.advance(by: .seconds(1))
        #expect(harness.send(.get, session).text.contains("\"version\":2,"))
    }

    @Test func `scheduled work is cancelled and freed when the session ends`() throws {
        let machines = Lock<[Weak]>([])
        let harness = try HostHarness([
            counter { machine in machines.withLock { $0.append(Weak(machine)) } }
        ])
        let session = harness.makeSession()
        harness.input(session, "inAMinute")
        harness.input(session, "later")
        #expect(machines.withLock { $0[0].machine } != nil)
        let timers = harness.loop.timerCount
        _ = harness.send(.delete, session)
        #expect(machines.withLock { $0[0].machine } == nil)
        #expect(harness.loop.timerCount == timers - 1)
    }

    @Test func `inside a machine, the main queue is the session's queue`() throws {
        let subject = Lock<PassthroughSubject<Int, Never>?>(nil)
        let held = Lock<[AnyCancellable]>([])
        let harness = try HostHarness([
            counter { machine in
                let values = PassthroughSubject<Int, Never>()
                let token = values.receive(on: DispatchQueue.main).sink { [unowned machine] value in
                    machine.set("count", to: "\(value)")
                }
                held.withLock { $0 = [token] }
                subject.withLock { $0 = values }
            }
        ])
        let session = harness.makeSession()
        subject.withLock { $0 }?.send(42)
        #expect(harness.send(.get, session + "/outputs").text.hasPrefix("{\"count\":0"))
        #expect(harness.send(.get, session + "/outputs").text.hasPrefix("{\"count\":42"))
        held.withLock { $0 = [] }
    }

    @Test func `the scheduler uses dispatch time and repeats until it is cancelled`() throws {
        let contexts = Lock<[SessionScheduler]>([])
        let harness = try HostHarness([
            counter { machine in contexts.withLock { $0.append(machine.context.scheduler) } }
        ])
        _ = harness.makeSession()
        let scheduler = contexts.withLock { $0[0] }
        let start = scheduler.now
        let ticks = Lock<[Int]>([])
        let token = scheduler.schedule(after: start.advanced(by: .seconds(2)), interval: .seconds(3)) {
            ticks.withLock { $0.append(start.distance(to: scheduler.now).magnitude / 1_000_000_000) }
        }
        harness.loop.advance(by: .seconds(9))
        token.cancel()
        harness.loop.advance(by: .seconds(9))
        #expect(ticks.withLock { $0 } == [2, 5, 8])
    }

    @Test func `an output sent on the loop outside a turn is published at the end of the round`() throws {
        let machines = Lock<[Weak]>([])
        let harness = try HostHarness([
            counter { machine in machines.withLock { $0.append(Weak(machine)) } }
        ])
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        let machine = try #require(machines.withLock { $0[0].machine })
        machine.set("count", to: "5")
        machine.set("isEven", to: "false")
        #expect(!follower.isReady)
        harness.loop.run()
        follower.read()
        #expect(follower.events.last?.data == "{\"count\":5,\"isEven\":false}")
    }

    @Test func `an output sent from another thread is transferred to the loop and logged once`() throws {
        let events = Lock<[LogEvent]>([])
        let machines = Lock<[Weak]>([])
        let log = Log(level: .debug) { event in events.withLock { $0.append(event) } }
        let harness = try HostHarness(
            [counter { machine in machines.withLock { $0.append(Weak(machine)) } }], log: log)
        let session = harness.makeSession()
        let machine = Unconfined(try #require(machines.withLock { $0[0].machine }))
        for value in ["5", "6"] {
            onAnotherThread { machine.machine.outputs.perform { machine.machine.set("count", to: value) } }
        }
        harness.loop.run()
        let text = harness.send(.get, session).text
        // Both arrived before the loop checked.
        #expect(text.contains("\"version\":1,\"durability\":\"memory\",\"outputs\":{\"count\":6"))
        let warnings = events.withLock { $0 }
        #expect(warnings.map(\.message) == ["output sent from another thread"])
        let id = String(session.dropFirst("/v1/sessions/".count))
        #expect(warnings.allSatisfy { !"\($0)".contains(id) })
    }

    @Test func `a failing machine ends its session, and the others continue`() throws {
        let events = Lock<[LogEvent]>([])
        let harness = try HostHarness(
            [counter()], log: Log(level: .error) { event in events.withLock { $0.append(event) } })
        let (broken, healthy) = (harness.makeSession(), harness.makeSession())
        let follower = harness.follow(broken)
        follower.read()
        let answer = harness.input(broken, "break")
        #expect(answer.status == .internalServerError)
        follower.read()
        #expect(follower.hasFinished)
        let event = try #require(events.withLock { $0.first })
        let incident = try #require(event.fields.first { $0.name == "incident" })
        guard case .text(let quoted) = incident.value else { Issue.record("no text"); return }
        #expect(answer.text.hasSuffix("\"incident\":\"\(quoted)\"}"))
        #expect(follower.view.end == "{\"reason\":\"failed\",\"incident\":\"\(quoted)\"}")
        #expect(event.fields.contains { $0.name == "reason" && $0.value == .text("the count is no number") })
        #expect(!"\(event)".contains(broken.dropFirst("/v1/sessions/".count)))
        #expect(harness.send(.get, broken).status == .gone)
        #expect(harness.input(healthy, "increment").status == .ok)
    }
}

/// An action that a test provides for a machine to call.
///
/// Sendable because tests use it on the loop's thread only.
private final class Ending: @unchecked Sendable {
    var delete: () -> Void = {}
}

/// A weak reference to a machine that its session owns.
///
/// Sendable because tests access it on the loop's thread only.
private final class Weak: @unchecked Sendable {
    weak var machine: ScriptedMachine?

    init(_ machine: ScriptedMachine) {
        self.machine = machine
    }
}

/// A machine that is passed to a thread other than its own.
///
/// Sendable because that thread only calls methods that are safe on any thread.
private struct Unconfined: @unchecked Sendable {
    let machine: ScriptedMachine

    init(_ machine: ScriptedMachine) {
        self.machine = machine
    }
}
