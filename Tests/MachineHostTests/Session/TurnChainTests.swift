import CombineCore
import Dispatch
import HTTPModel
import Locking
import Log
import MachineTesting
import Testing

@testable import MachineHost

/// Machines whose turns cause further turns.
struct TurnChainTests {
    /// The ways in which a turn causes the next one without a pause.
    enum Way: CaseIterable {
        case block, timerWithoutDelay, timerInThePast, firstOfARepetition, delayOfZero, publisherOnTheQueue
    }

    private struct Fixture {
        let harness: HostHarness
        let events: Lock<[LogEvent]>

        /// The logged reasons of failed sessions.
        var reasons: [String] {
            events.withLock { $0 }.filter { $0.message == "session failed" }.flatMap(\.fields)
                .filter { $0.name == "reason" }.map { "\($0.value)" }
        }
    }

    private func fixture(
        turnsInARow: Int = 10, _ inputs: [String: ScriptedMachine.Reaction]
    ) throws -> Fixture {
        let events = Lock<[LogEvent]>([])
        var configuration = HostConfiguration()
        configuration.turnsInARow = turnsInARow
        let definition = ScriptedMachine.definition(
            outputs: ["count"], inputs: inputs.merging(["look": { _, _ in }]) { $1 }, made: { $0.set("count", to: "0") }
        )
        let log = Log(level: .warning) { event in events.withLock { $0.append(event) } }
        return Fixture(
            harness: try HostHarness([definition], configuration: configuration, log: log), events: events)
    }

    /// Counts, and causes the next turn in the given way while turns are left.
    private static func count(_ machine: ScriptedMachine, _ way: Way, left: Int) {
        machine.set("count", to: String((Int(machine.value(of: "count") ?? "") ?? 0) + 1))
        guard left > 0 else { return }
        let scheduler = machine.context.scheduler
        let next = { [unowned machine] in count(machine, way, left: left - 1) }
        switch way {
        case .block: scheduler.schedule(next)
        case .timerWithoutDelay: _ = scheduler.schedule(after: .zero, repeating: nil, next)
        case .timerInThePast: _ = scheduler.schedule(after: .seconds(-3), repeating: nil, next)
        case .firstOfARepetition:
            let timer = Lock<ScheduledBlock?>(nil)
            let started = scheduler.schedule(after: .zero, repeating: .seconds(1)) {
                timer.withLock { $0 }?.cancel()
                timer.withLock { $0 = nil }
                next()
            }
            timer.withLock { $0 = started }
        case .delayOfZero: MainQueue.keep(Just(1).delay(for: .zero, scheduler: DispatchQueue.main), next)
        case .publisherOnTheQueue: MainQueue.keep(Just(1).receive(on: DispatchQueue.main), next)
        }
    }

    @Test(arguments: Way.allCases)
    func `a chain of turns without a pause ends the machine with an incident`(way: Way) throws {
        let fixture = try fixture(["run": { machine, _ in Self.count(machine, way, left: .max) }])
        let session = fixture.harness.makeSession()
        let follower = fixture.harness.follow(session)
        follower.read()
        #expect(fixture.harness.input(session, "run").status == .ok)
        fixture.harness.loop.advance(by: .zero)
        follower.read()
        #expect(follower.view.outputs["count"] == "11")
        #expect(follower.view.end?.hasPrefix("{\"reason\":\"failed\",\"incident\":\"") == true)
        #expect(fixture.reasons.count == 1)
        #expect(fixture.reasons[0].contains("more than 10 in a row (sessions.turnsInARow)"))
        let line = try #require(fixture.events.withLock { $0.first { $0.message == "session failed" } })
        #expect(line.fields.contains { $0.name == "machine" && $0.value == .text("scripted") })
        #expect(fixture.harness.input(session, "look").status == .gone)
        #expect(fixture.harness.host.sessionCount == 0)
    }

    @Test(arguments: Way.allCases)
    func `chains of the allowed length are accepted, however often they occur`(way: Way) throws {
        let fixture = try fixture(["run": { machine, _ in Self.count(machine, way, left: 10) }])
        let session = fixture.harness.makeSession()
        for run in 1...5 {
            #expect(fixture.harness.input(session, "run").status == .ok)
            fixture.harness.loop.advance(by: .zero)
            #expect(fixture.harness.send(.get, session + "/outputs").text == "{\"count\":\(11 * run)}")
        }
        #expect(fixture.reasons.isEmpty)
    }

    @Test func `a timer with a delay interrupts a chain`() throws {
        let fixture = try fixture([
            "run": { machine, _ in
                func next(_ left: Int) {
                    machine.set("count", to: "\(left)")
                    guard left > 0 else { return }
                    _ = machine.context.scheduler.schedule(after: .milliseconds(1), repeating: nil) { next(left - 1) }
                }
                next(1000)
            }
        ])
        let session = fixture.harness.makeSession()
        fixture.harness.input(session, "run")
        fixture.harness.loop.advance(by: .seconds(2))
        #expect(fixture.harness.send(.get, session + "/outputs").text == "{\"count\":0}")
    }

    @Test func `many inputs that each cause a turn are not a chain, and neither is one input that causes many turns`()
        throws
    {
        let fixture = try fixture([
            "one": { machine, _ in Self.count(machine, .block, left: 1) },
            "many": { machine, _ in for _ in 0..<150 { Self.count(machine, .block, left: 1) } },
        ])
        let session = fixture.harness.makeSession()
        // All inputs arrive in one round: none of the turns they cause has run when the last one arrives.
        for _ in 0..<100 {
            var request = HTTPRequest(method: .post, target: session + "/inputs/one")
            request.fields.append(.contentType, "application/json")
            _ = fixture.harness.shard.respond(to: request)
        }
        fixture.harness.loop.run()
        fixture.harness.input(session, "many")
        #expect(fixture.harness.send(.get, session + "/outputs").text == "{\"count\":500}")
        #expect(fixture.reasons.isEmpty)
    }

    @Test func `an input starts its own chain and does not reset an earlier one`() throws {
        let fixture = try fixture([
            "run": { machine, _ in Self.count(machine, .block, left: .max) },
            "short": { machine, _ in Self.count(machine, .block, left: 8) },
        ])
        let session = fixture.harness.makeSession()
        fixture.harness.input(session, "short")
        fixture.harness.input(session, "short")
        #expect(fixture.reasons.isEmpty)
        func post(_ input: String) {
            _ = fixture.harness.shard.respond(to: HTTPRequest(method: .post, target: "\(session)/inputs/\(input)"))
        }
        post("run")
        for _ in 0..<20 {
            post("look")
            fixture.harness.loop.runRound()
        }
        #expect(fixture.reasons.count == 1)
    }

    @Test func `turns that multiply are stopped before their blocks exhaust the memory`() throws {
        let turns = Lock(0)
        let fixture = try fixture(turnsInARow: 100) {
            @Sendable func split(_ machine: ScriptedMachine) {
                turns.withLock { $0 += 1 }
                for _ in 0..<2 { machine.context.scheduler.schedule { [unowned machine] in split(machine) } }
            }
            return ["run": { machine, _ in split(machine) }]
        }
        let session = fixture.harness.makeSession()
        fixture.harness.input(session, "run")
        #expect(fixture.reasons.count == 1)
        #expect(fixture.harness.host.sessionCount == 0)
        #expect((1_000...2_000).contains(turns.withLock { $0 }))
    }

    private func fixture(
        turnsInARow: Int, _ inputs: () -> [String: ScriptedMachine.Reaction]
    ) throws -> Fixture {
        try fixture(turnsInARow: turnsInARow, inputs())
    }

    @Test func `sessions that cause each other's turns form a chain, but a third that observes one does not`() throws {
        let machines = Lock<[Held]>([])
        let definition = ScriptedMachine.definition(
            outputs: ["count"],
            inputs: [
                // The first two respond to each other, the third counts the values of the first.
                "play": { machine, _ in Self.pass(to: 1, machines) },
                "tell": { machine, _ in
                    let third = machines.withLock { $0[2] }.machine
                    third.context.scheduler.schedule { Self.add(third) }
                },
            ],
            made: { machine in
                machine.set("count", to: "0")
                machines.withLock { $0.append(Held(machine)) }
            })
        var configuration = HostConfiguration()
        configuration.turnsInARow = 10
        let harness = try HostHarness([definition], configuration: configuration)
        let sessions = (0..<3).map { _ in harness.makeSession() }
        for _ in 0..<50 {
            _ = harness.shard.respond(to: HTTPRequest(method: .post, target: sessions[0] + "/inputs/tell"))
        }
        harness.loop.run()
        #expect(harness.send(.get, sessions[2] + "/outputs").text == "{\"count\":50}")
        harness.input(sessions[0], "play")
        #expect(harness.host.sessionCount == 2)
        #expect(harness.send(.get, sessions[2]).status == .ok)
        machines.withLock { $0 = [] }
    }

    private static func pass(to index: Int, _ machines: Lock<[Held]>) {
        let machine = machines.withLock { $0[index] }.machine
        machine.context.scheduler.schedule {
            add(machine)
            pass(to: 1 - index, machines)
        }
    }

    private static func add(_ machine: ScriptedMachine) {
        machine.set("count", to: String((Int(machine.value(of: "count") ?? "") ?? 0) + 1))
    }
}

// Turns caused by other threads.
extension TurnChainTests {
    @Test func `effects that return immediately from another thread form a chain, slow ones do not`() throws {
        let made = Lock<Held?>(nil)
        let fixture = try fixture(["hold": { machine, _ in made.withLock { $0 = Held(machine) } }])
        let slow = fixture.harness.makeSession()
        fixture.harness.input(slow, "hold")
        let patient = try #require(made.withLock { $0 })
        for _ in 0..<100 {
            patient.addFromAnotherThread()
            fixture.harness.loop.run()
            fixture.harness.loop.advance(by: .milliseconds(1))
        }
        #expect(fixture.reasons.isEmpty)
        let fast = fixture.harness.makeSession()
        fixture.harness.input(fast, "hold")
        let hasty = try #require(made.withLock { $0 })
        for _ in 0..<10 {
            hasty.addFromAnotherThread()
            fixture.harness.loop.run()
        }
        #expect(fixture.reasons.isEmpty)
        hasty.addFromAnotherThread()
        fixture.harness.loop.run()
        #expect(fixture.reasons.count == 1)
        #expect(fixture.harness.send(.get, fast).status == .gone)
        #expect(fixture.harness.send(.get, slow + "/outputs").text == "{\"count\":100}")
    }

    @Test func `any number of events can arrive from another thread in one round`() throws {
        let made = Lock<Held?>(nil)
        let fixture = try fixture(["hold": { machine, _ in made.withLock { $0 = Held(machine) } }])
        let session = fixture.harness.makeSession()
        fixture.harness.input(session, "hold")
        let machine = try #require(made.withLock { $0 })
        for _ in 0..<150 { machine.addFromAnotherThread() }
        fixture.harness.loop.run()
        #expect(fixture.harness.send(.get, session + "/outputs").text == "{\"count\":150}")
    }
}

// Fairness towards other sessions.
extension TurnChainTests {
    @Test(arguments: Way.allCases)
    func `no work runs in the round in which it was scheduled`(way: Way) throws {
        let fixture = try fixture(turnsInARow: 1_000, ["run": { machine, _ in Self.count(machine, way, left: 20) }])
        let session = fixture.harness.makeSession()
        _ = fixture.harness.shard.respond(to: HTTPRequest(method: .post, target: session + "/inputs/run"))
        var counts: [String] = []
        while counts.last != "{\"count\":21}", counts.count < 100 {
            counts.append(try outputs(of: session, fixture.harness))
            fixture.harness.loop.runRound()
        }
        // A timer needs one round to become due and another to run.
        let isTimer = way != .block && way != .publisherOnTheQueue
        let expected = (1...21).flatMap { Array(repeating: "{\"count\":\($0)}", count: isTimer && $0 < 21 ? 2 : 1) }
        #expect(counts == expected)
    }

    /// The outputs of a session, without running its loop's pending work.
    private func outputs(of session: String, _ harness: HostHarness) throws -> String {
        let request = HTTPRequest(method: .get, target: session + "/outputs")
        guard case .response(let response) = harness.shard.respond(to: request), case .bytes(let bytes) = response.body
        else { throw ScriptedMachine.Failure("expected a response with the outputs") }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a session with much scheduled work lets other sessions run in between`() throws {
        let fixture = try fixture(
            turnsInARow: 1_000,
            [
                "run": { machine, _ in
                    for _ in 0..<1_000 {
                        machine.context.scheduler.schedule { [unowned machine] in Self.add(machine) }
                    }
                },
                "once": { machine, _ in Self.count(machine, .block, left: 1) },
            ])
        let (busy, other) = (fixture.harness.makeSession(), fixture.harness.makeSession())
        for target in [busy + "/inputs/run", other + "/inputs/once"] {
            _ = fixture.harness.shard.respond(to: HTTPRequest(method: .post, target: target))
        }
        fixture.harness.loop.runRound()
        #expect(try outputs(of: other, fixture.harness) == "{\"count\":2}")
        #expect(try outputs(of: busy, fixture.harness) == "{\"count\":64}")
        fixture.harness.loop.runRound()
        #expect(try outputs(of: busy, fixture.harness) == "{\"count\":128}")
        fixture.harness.loop.run()
        #expect(fixture.harness.send(.get, busy + "/outputs").text == "{\"count\":1000}")
    }

    @Test func `slow blocks defer the remaining ones to later rounds`() throws {
        let fixture = try fixture(
            turnsInARow: 1_000,
            [
                "run": { machine, _ in
                    for _ in 0..<10 {
                        machine.context.scheduler.schedule { [unowned machine] in
                            (machine.context.loop as? VirtualEventLoop)?.stall(for: .milliseconds(3))
                            Self.add(machine)
                        }
                    }
                }
            ])
        let session = fixture.harness.makeSession()
        _ = fixture.harness.shard.respond(to: HTTPRequest(method: .post, target: session + "/inputs/run"))
        fixture.harness.loop.runRound()
        #expect(fixture.harness.session(at: session)?.version == 2)
        fixture.harness.loop.runRound()
        #expect(fixture.harness.session(at: session)?.version == 4)
    }

    @Test func `pending blocks are freed when their session ends`() throws {
        let fixture = try fixture([
            "run": { machine, _ in
                let held = Captured()
                Captured.latest.withLock { $0 = WeakCapture(held) }
                machine.context.scheduler.schedule { withExtendedLifetime(held) {} }
            }
        ])
        let session = fixture.harness.makeSession()
        _ = fixture.harness.shard.respond(to: HTTPRequest(method: .post, target: session + "/inputs/run"))
        #expect(Captured.latest.withLock { $0?.captured } != nil)
        _ = fixture.harness.shard.respond(to: HTTPRequest(method: .delete, target: session))
        #expect(Captured.latest.withLock { $0?.captured } == nil)
    }
}

private final class Captured: Sendable {
    static let latest = Lock<WeakCapture?>(nil)
}

private struct WeakCapture {
    weak var captured: Captured?

    init(_ captured: Captured) { self.captured = captured }
}

/// The main queue as machine code uses it.
private enum MainQueue {
    private static let tokens = Lock<[AnyCancellable]>([])

    static func keep(_ publisher: some Publisher<Int, Never>, _ action: @escaping () -> Void) {
        let token = publisher.sink { _ in action() }
        tokens.withLock { $0 = [token] + $0.prefix(1000) }
    }
}

/// Sendable because the other thread only calls methods that are safe on any thread.
private final class Held: @unchecked Sendable {
    let machine: ScriptedMachine

    init(_ machine: ScriptedMachine) {
        self.machine = machine
    }

    /// Schedules a turn that counts, and returns when it is scheduled.
    func addFromAnotherThread() {
        onAnotherThread { [self] in
            machine.context.scheduler.schedule { [self] in
                machine.set("count", to: String((Int(machine.value(of: "count") ?? "") ?? 0) + 1))
            }
        }
    }
}
