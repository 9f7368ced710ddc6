import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// Tests of the conformance suite: it accepts a machine that fulfils the contract and detects each violation.
struct MachineCaseTests {
    private static let script: [MachineStep] = ["increment", "add 3", "say \"hey\"", "later", .wait(.seconds(1))]

    private static func counter(
        _ inputs: [String: ScriptedMachine.Reaction] = [:], schema: JSONSchema = .integer(minimum: 0, maximum: nil),
        accepting: @escaping @Sendable (String) -> Bool = { Int($0) != nil }
    ) -> MachineDefinition {
        let usual: [String: ScriptedMachine.Reaction] = [
            "increment": { machine, _ in add(1, to: machine) },
            "add": { machine, value in add(Int(value) ?? 0, to: machine) },
            "say": { machine, value in machine.emit("said", value) },
            "later": { machine, _ in
                _ = machine.context.scheduler.schedule(after: .seconds(1), repeating: nil) { add(10, to: machine) }
            },
        ]
        let scripted = ScriptedMachine.definition(
            "conforming", outputs: ["count"], events: ["said"], inputs: usual.merging(inputs) { $1 },
            refusing: { input, value in
                guard input == "add", !accepting(value) else { return nil }
                return InputMismatch(pointer: "", detail: "expected a whole number")
            },
            made: { $0.set("count", to: "0") })
        return MachineDefinition(
            name: scripted.name, summary: scripted.summary,
            inputs: scripted.inputs.map { input in
                InputDefinition(
                    name: input.name, schema: input.name == "add" ? .integer(minimum: nil, maximum: nil) : .any,
                    prepare: input.prepare)
            },
            outputs: [
                OutputDefinition(name: "count", schema: schema, kind: .value),
                OutputDefinition(name: "said", schema: .string(format: nil), kind: .event),
            ], make: scripted.make)
    }

    private static func add(_ step: Int, to machine: ScriptedMachine) {
        machine.set("count", to: String((Int(machine.value(of: "count") ?? "") ?? 0) + step))
    }

    @Test(arguments: MachinePoint.allCases)
    func `a machine that fulfils the contract has no findings`(point: MachinePoint) {
        #expect(MachineCase(Self.counter(), script: Self.script).findings(point) == [])
    }

    /// Returns the findings of one point for a machine that runs the given script.
    private func findings(
        _ point: MachinePoint, _ definition: MachineDefinition, _ script: [MachineStep] = script
    ) -> String {
        MachineCase(definition, script: script).findings(point).joined(separator: "\n")
    }

    @Test func `outputs that a script does not change are listed`() {
        #expect(MachineCase(Self.counter(), script: Self.script).untouchedOutputs == [])
        #expect(MachineCase(Self.counter(), script: ["increment"]).untouchedOutputs == ["said"])
        #expect(MachineCase(Self.counter(), script: ["say \"x\""]).untouchedOutputs == ["count"])
        #expect(MachineCase(Self.counter(), script: []).untouchedOutputs == ["count", "said"])
        let unmade = ScriptedMachine.definition(outputs: ["a"], made: { _ in throw ScriptedMachine.Failure("no") })
        #expect(MachineCase(unmade, script: []).untouchedOutputs == ["a"])
    }

    @Test func `a machine that cannot be hosted or created is reported`() {
        let nameless = ScriptedMachine.definition("No Name", outputs: [])
        #expect(findings(.creation, nameless).hasPrefix("it cannot be hosted: a machine's name must be"))
        let unmade = ScriptedMachine.definition(outputs: [], made: { _ in throw ScriptedMachine.Failure("no") })
        #expect(findings(.creation, unmade).contains("no session was created: 500"))
    }

    @Test func `values that violate a schema are reported for outputs, inputs and events`() {
        #expect(findings(.schemas, Self.counter(schema: .boolean)).contains("\"count\" is 0, which its schema"))
        #expect(findings(.schemas, Self.counter(), ["add true"]).contains("\"add\" is true, which its schema"))
        #expect(findings(.schemas, Self.counter(), ["say 7"]).contains("\"said\" is 7, which its schema"))
        let dangling = Self.counter(schema: .reference("nowhere"))
        #expect(findings(.schemas, dangling).contains("nothing is defined at \"#/$defs/nowhere\""))
    }

    @Test func `an unknown or rejected input is reported`() {
        #expect(findings(.acceptance, Self.counter(), ["decrement"]).contains("decrement returns 404"))
        #expect(findings(.acceptance, Self.counter(), ["add true"]).contains("add true returns 422"))
    }

    @Test func `an input that accepts values outside its schema is reported`() {
        let lenient = Self.counter(accepting: { _ in true })
        #expect(findings(.refusal, lenient).contains("add with null returns 200, expected 422"))
    }

    @Test func `a machine that fails is reported`() {
        let failing = Self.counter(["increment": { machine, _ in machine.fail("count", with: .init("no")) }])
        #expect(findings(.acceptance, failing).contains("increment returns 500"))
        #expect(findings(.conditions, failing).contains("500"))
    }

    @Test func `a machine that behaves differently in a batch is reported`() {
        let counting = SharedCounter()
        let fickle = Self.counter([
            "increment": { machine, _ in machine.set("count", to: String(counting.next())) }
        ])
        #expect(findings(.atomicity, fickle).contains("a batch leads to"))
    }

    @Test func `sessions that share state are reported`() {
        let shared = SharedCounter()
        let sharing = Self.counter(["increment": { _, _ in _ = shared.next() }])
        let leaking = MachineDefinition(
            name: sharing.name, summary: "", inputs: sharing.inputs, outputs: sharing.outputs
        ) { context in
            let machine = try sharing.make(context)
            (machine as? ScriptedMachine)?.set("count", to: String(shared.value))
            return machine
        }
        #expect(
            findings(.isolation, leaking).contains("a new session starts with other outputs than the previous ones"))
    }

    @Test func `a machine that outlives its session is reported`() {
        let kept = MachineKeeper()
        let definition = Self.counter()
        let staying = MachineDefinition(
            name: definition.name, summary: "", inputs: definition.inputs, outputs: definition.outputs
        ) { context in
            let machine = try definition.make(context)
            kept.machine = machine
            return machine
        }
        #expect(findings(.ending, staying).contains("objects of the machine are not deallocated"))
        kept.machine = nil
    }
}

/// An increasing number that is shared by machines that should not share anything.
///
/// Sendable because a test uses it on one thread only.
private final class SharedCounter: @unchecked Sendable {
    private(set) var value = 0

    func next() -> Int {
        value += 1
        return value
    }
}

/// Sendable because a test uses it on one thread only.
private final class MachineKeeper: @unchecked Sendable {
    var machine: (any HostedMachine)?
}
