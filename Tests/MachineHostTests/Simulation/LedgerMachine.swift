import HTTPModel
import MachineHost
import MachineTesting
import StateCapture

/// A machine that lists the marks of its inputs, so that a checker can tell which of them ran, and how often.
enum LedgerMachine {
    static let outputs = ["marks", "count", "text"]

    /// Returns the definition.
    static func definition() -> MachineDefinition {
        var definition = MachineDefinition(
            name: "ledger", summary: "Lists the marks of its inputs.",
            inputs: [
                input("note") { note($1, in: $0) },
                input("later") { machine, mark in
                    machine.context.scheduler.schedule { note(mark, in: machine) }
                },
                input("soon") { machine, mark in
                    _ = machine.context.scheduler.schedule(after: .milliseconds(20), repeating: nil) {
                        note(mark, in: machine)
                    }
                },
                input("long") { machine, mark in
                    note(mark, in: machine)
                    machine.set("text", to: "\"" + String(repeating: mark, count: 300) + "\"")
                },
                input("nothing") { _, _ in },
                input("refuse") { _, _ throws(InputRefusal) in throw InputRefusal(reason: "there is no such mark") },
                input("fail") { machine, _ in machine.fail("count", with: .init("the ledger is closed")) },
            ],
            outputs: outputs.map { OutputDefinition(name: $0, schema: .any, kind: .value) }
                + [OutputDefinition(name: "noted", schema: .any, kind: .event)]
        ) { context in
            let machine = ScriptedMachine(context: context, outputs: outputs + ["noted"])
            machine.set("marks", to: "[]")
            machine.set("count", to: "0")
            let state = State(machine)
            StateRegistry.current?.register(state)
            // A registry releases parts that nothing else holds.
            machine.whenEnded = { withExtendedLifetime(state) {} }
            return machine
        }
        definition.hibernates = true
        definition.captureObstacles = []
        return definition
    }

    /// Returns the marks that a JSON array contains.
    static func marks(in json: String?) -> [String] {
        (json ?? "").dropFirst().dropLast().split(separator: ",").map { String($0.dropFirst().dropLast()) }
    }

    private static func note(_ mark: String, in machine: ScriptedMachine) {
        let list = machine.value(of: "marks") ?? "[]"
        machine.set("marks", to: (list == "[]" ? "[" : list.dropLast() + ",") + "\"\(mark)\"]")
        machine.set("count", to: String((Int(machine.value(of: "count") ?? "") ?? 0) + 1))
        machine.emit("noted", "\"\(mark)\"")
    }

    private static func input(
        _ name: String, _ run: @escaping @Sendable (ScriptedMachine, String) throws(InputRefusal) -> Void
    ) -> InputDefinition {
        InputDefinition(name: name, schema: .any) { json in
            let mark = String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
            return PreparedInput { machine throws(InputRefusal) in
                if let machine = machine as? ScriptedMachine { try run(machine, mark) }
            }
        }
    }

    /// The captured state: all outputs.
    private final class State: StatefulPart {
        static var partName: StaticString { "ledger" }

        private let machine: ScriptedMachine

        init(_ machine: ScriptedMachine) {
            self.machine = machine
        }

        var partState: [String: String]? { machine.values }

        func restore(_ state: [String: String]?) {
            for (name, json) in state ?? [:] { machine.set(name, to: json) }
        }
    }
}
