import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Inputs that the machine itself refuses.
struct InputRefusalTests {
    private let harness: HostHarness
    private let session: String

    init() throws {
        let machine = ScriptedMachine.definition(
            outputs: ["count"],
            inputs: [
                "count": { $0.set("count", to: $1) },
                "refuse": { machine, _ in
                    machine.context.refuse("it is the turn of O")
                    machine.context.refuse("another reason")
                },
                "later": { machine, _ in
                    machine.context.scheduler.schedule { machine.context.refuse("too late") }
                },
            ])
        harness = try HostHarness([machine])
        session = harness.makeSession()
    }

    @Test func `a refused input gets 409 with the reason of the machine`() {
        let answer = harness.input(session, "refuse")
        #expect(answer.status == .conflict)
        #expect(answer.text.contains(#""type":"/problems/input-refused","title":"Input refused","status":409"#))
        #expect(answer.text.contains(#""detail":"The machine refuses the input \"refuse\": it is the turn of O.""#))
        #expect(harness.input(session, "count", "1").text == #"{"version":1,"changes":{"count":1}}"#)
    }

    @Test func `an input that refuses and throws does not refuse the next one`() throws {
        let context = SessionContext(loop: VirtualEventLoop())
        let machine = ScriptedMachine(context: context, outputs: [])
        let refusing = PreparedInput { _ throws(InputRefusal) in
            context.refuse("first")
            throw InputRefusal(reason: "second")
        }
        #expect(throws: InputRefusal(reason: "second")) { try refusing.run(on: machine, in: context) }
        try PreparedInput { _ in }.run(on: machine, in: context)
    }

    @Test func `the rest of a batch is not run`() {
        let batch = #"[{"input":"count","value":1},{"input":"refuse"},{"input":"count","value":2}]"#
        let answer = harness.send(.post, session + "/inputs", body: batch)
        #expect(answer.status == .conflict)
        #expect(answer.text.contains(#""type":"/problems/input-refused""#))
        #expect(answer.text.contains("The machine refuses the input at /1: it is the turn of O."))
        #expect(answer.text.contains(#""ran":1,"version":1"#))
        #expect(harness.send(.get, session + "/outputs").text == #"{"count":1}"#)
    }

    @Test func `a turn without an input refuses nothing`() {
        #expect(harness.input(session, "later").status == .ok)
        #expect(harness.input(session, "count", "1").status == .ok)
        SessionContext(loop: VirtualEventLoop()).refuse("no input runs")
    }

    @Test func `a key of a refused input may be used again, and that of a part of a batch is not`() {
        let key: HTTPFields = [.idempotencyKey: "k"]
        #expect(harness.input(session, "refuse", fields: key).status == .conflict)
        #expect(harness.input(session, "refuse", fields: key).fields.value(.idempotencyReplayed) == nil)
        let batch = #"[{"input":"count","value":1},{"input":"refuse"}]"#
        let other: HTTPFields = [.idempotencyKey: "l"]
        let first = harness.send(.post, session + "/inputs", body: batch, fields: other)
        let second = harness.send(.post, session + "/inputs", body: batch, fields: other)
        #expect(second.status == .conflict && second.text == first.text)
        #expect(second.fields.value(.idempotencyReplayed) == "true")
    }

    @Test func `a refusal is replayed`() throws {
        var machine = ScriptedMachine.definition(
            outputs: ["count"],
            inputs: [
                "count": { machine, value in
                    guard machine.value(of: "count") == "0" else { return machine.context.refuse("it has a value") }
                    machine.set("count", to: value)
                }
            ],
            made: { machine in
                ScriptedState.capture(machine)
                machine.set("count", to: "0")
            })
        machine.captureObstacles = []
        let host = try RestartableHost([machine])
        let session = host.harness.makeSession()
        let batch = #"[{"input":"count","value":1},{"input":"count","value":2}]"#
        #expect(host.send(.post, session + "/inputs", body: batch).status == .conflict)
        #expect(host.send(.post, session + "/inputs/count", body: "3").status == .conflict)
        #expect(host.send(.get, session + "/outputs").text == #"{"count":1}"#)
        var replay = try Replay(SessionRecording(host.recording(of: session)), machine)
        let divergence = try replay.run()
        #expect(divergence?.description == nil)
    }
}
