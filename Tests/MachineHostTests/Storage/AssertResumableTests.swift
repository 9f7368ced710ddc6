import MachineHost
import MachineTesting
import StateCapture
import Testing

struct AssertResumableTests {
    @Test func `a machine whose state is captured is resumable`() throws {
        try assertResumable(
            Typist.definition,
            choosing: ["type \"a\"", "type \"b\"", .wait(.seconds(1)), .wait(.milliseconds(4990))], steps: 100)
    }

    @Test func `a machine that forgets a part of its state is not`() throws {
        // Without a registered state, the count begins again at zero.
        var forgetful = ScriptedMachine.definition(
            outputs: ["count"],
            inputs: [
                "increment": { machine, _ in
                    machine.set("count", to: "\((Int(machine.value(of: "count") ?? "") ?? 0) + 1)")
                }
            ], made: { $0.set("count", to: "0") })
        forgetful.captureObstacles = []
        let found = #expect(throws: NotResumable.self) {
            try assertResumable(forgetful, choosing: ["increment"], seeds: 7...7)
        }
        #expect(found?.description.contains("with seed 7 after: increment") == true)
    }

    @Test func `a machine that cannot be captured is not resumable, for a reason`() throws {
        var opaque = ScriptedMachine.definition(outputs: ["count"])
        #expect(throws: NotResumable.self) { try assertResumable(opaque) }
        opaque.captureObstacles = [CaptureObstacle(part: "Store.token", type: "Token")]
        let found = #expect(throws: NotResumable.self) { try assertResumable(opaque) }
        #expect(
            found?.description
                == "expected every member and operator to be captured, got Store.token of the type Token")
    }

    @Test func `inputs without a list are drawn from their schemas`() throws {
        var definition = ScriptedMachine.definition(outputs: ["count"], inputs: ["nothing": { _, _ in }])
        definition.captureObstacles = []
        try assertResumable(definition, seeds: 1...3)
    }
}
