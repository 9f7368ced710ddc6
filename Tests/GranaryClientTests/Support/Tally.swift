import GranaryClient
import MachineHost
import MachineTesting

/// A machine that keeps the numbers it has received, as `granary types --swift` would describe it.
enum Tally: MachineSchema {
    static let machineName = "tally"

    enum Inputs: MachineInputs, Hashable {
        case add(Int)
        case clear
        case note(String?)

        func inputMessage() -> InputMessage {
            switch self {
            case .add(let value): InputMessage("add", value)
            case .clear: InputMessage("clear")
            case .note(let value): InputMessage("note", value)
            }
        }
    }

    struct Outputs: MachineOutputs {
        var values: [Int]
        var total: Int
        var note: String?

        init(values: [Int], total: Int, note: String? = nil) {
            (self.values, self.total, self.note) = (values, total, note)
        }

        init(_ values: OutputValues) throws {
            self.values = try values.value("values")
            total = try values.value("total")
            note = try values.optional("note")
        }

        mutating func merge(_ values: OutputValues) throws {
            try values.update("values", &self.values)
            try values.update("total", &total)
            try values.update("note", &note)
        }
    }

    enum Events: MachineEvents {
        case added(Int)

        static func read(_ event: EmittedEvent) throws -> Events? {
            switch event.output {
            case "added": .added(try event.value())
            default: nil
            }
        }
    }

    /// The machine.
    static func definition(_ name: String = machineName) -> MachineDefinition {
        ScriptedMachine.definition(
            name, outputs: ["values", "total", "note"], events: ["added", "other"],
            inputs: [
                "add": { machine, value in
                    let values = (machine.value(of: "values") ?? "[]").dropFirst().dropLast()
                    machine.set("values", to: values.isEmpty ? "[\(value)]" : "[\(values),\(value)]")
                    machine.set("total", to: String((Int(machine.value(of: "total") ?? "") ?? 0) + (Int(value) ?? 0)))
                    machine.emit("added", value)
                    machine.emit("other", "\"unknown to the types\"")
                },
                "clear": { machine, _ in
                    machine.set("values", to: "[]")
                    machine.set("total", to: "0")
                },
                "note": { machine, value in machine.set("note", to: value) },
            ],
            refusing: { input, json in
                input == "add" && Int(json) == nil
                    ? InputMismatch(pointer: "", detail: "expected a whole number, got \(json)") : nil
            },
            made: { machine in
                machine.set("values", to: "[]")
                machine.set("total", to: "0")
                machine.set("note", to: "null")
            })
    }
}
