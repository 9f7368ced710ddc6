import HTTPModel
import MachineHost
import MachineTesting

/// A counter with an event and an input for each behaviour that a host has to handle.
func counter(made: @escaping @Sendable (ScriptedMachine) throws -> Void = { _ in }) -> MachineDefinition {
    ScriptedMachine.definition(
        outputs: ["count", "isEven", "late"], events: ["error"],
        inputs: [
            "increment": { machine, _ in add(1, to: machine) },
            "add": { machine, value in add(Int(value) ?? 0, to: machine) },
            "set": { machine, value in machine.set("count", to: value) },
            "late": { machine, value in machine.set("late", to: value) },
            "nothing": { _, _ in },
            "complain": { machine, value in machine.emit("error", value) },
            "break": { machine, _ in machine.fail("count", with: .init("the count is no number")) },
            "trap": { _, _ in TestDisk.current?.trap() },
            "later": { machine, _ in
                machine.context.scheduler.schedule { add(1, to: machine) }
            },
            "inAMinute": { machine, _ in
                _ = machine.context.scheduler.schedule(after: .seconds(60), repeating: nil) { add(1, to: machine) }
            },
        ],
        refusing: { input, value in
            guard input == "add", Int(value) == nil else { return nil }
            return InputMismatch(pointer: "/step", detail: "expected a whole number, found \(value)")
        },
        made: { machine in
            machine.set("count", to: "0")
            machine.set("isEven", to: "true")
            try made(machine)
        })
}

private func add(_ step: Int, to machine: ScriptedMachine) {
    let count = (Int(machine.value(of: "count") ?? "") ?? 0) + step
    machine.set("count", to: String(count))
    machine.set("isEven", to: count.isMultiple(of: 2) ? "true" : "false")
}

extension HostHarness {
    /// A host of the counter.
    static func counting(
        _ configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> HostHarness {
        var configuration = HostConfiguration()
        configure(&configuration)
        return try HostHarness([counter()], configuration: configuration)
    }

    /// Sends an input.
    @discardableResult
    func input(
        _ session: String, _ name: String, _ body: String? = nil, fields: HTTPFields = HTTPFields()
    ) -> HarnessAnswer {
        send(.post, session + "/inputs/" + name, body: body, fields: fields)
    }
}
