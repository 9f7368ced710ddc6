import MachineHost

/// Writes TypeScript declarations of machines.
package enum TypeScriptTypes {
    /// Returns declarations: an interface with the machines by name, each with the types of its parameters, inputs, outputs and events.
    /// The text is the same for the same machines.
    ///
    /// - Parameter hash: The hash of the contract, which the header names.
    package static func text(of contract: MachineContract, hash: String) -> String {
        var writer = TypeScriptWriter()
        let machines = contract.machines.flatMap { lines(of: $0, &writer) }
        let text =
            TypesHeader.lines(hash: hash) + ["/** The machines by name. */", "export interface Machines {"]
            + machines + ["}", ""] + writer.declarations + (writer.declarations.isEmpty ? [] : [""]) + [
                "/** The name of a machine. */", "export type MachineName = keyof Machines;", "",
                "/** The types of a machine: `Machine<'counter'>['outputs']`. */",
                "export type Machine<Name extends MachineName> = Machines[Name];",
            ]
        return text.joined(separator: "\n")
    }

    private static func lines(of machine: MachineContract.Machine, _ writer: inout TypeScriptWriter) -> [String] {
        let parameters = machine.parameters.map { writer.type(of: $0, named: "\(machine.name) parameters") } ?? "null"
        func outputs(_ kind: OutputDefinition.Kind) -> [(String, JSONSchema)] {
            machine.outputs.filter { $0.kind == kind }.map { ($0.name, $0.schema) }
        }
        // The summary is on one line, and does not end the comment.
        let summary = TypesHeader.oneLine(machine.summary.replacing("*/", with: "*\u{200B}/"))
        return ["  /** \(summary) */", "  \(TypeScriptWriter.key(machine.name)): {"]
            + ["    parameters: \(parameters);"]
            + section("inputs", machine.name, machine.inputs.map { ($0.name, $0.schema) }, &writer)
            + section("outputs", machine.name, outputs(.value), &writer)
            + section("events", machine.name, outputs(.event), &writer) + ["  };"]
    }

    private static func section(
        _ section: String, _ machine: String, _ ports: [(name: String, schema: JSONSchema)],
        _ writer: inout TypeScriptWriter
    ) -> [String] {
        // Not `{}`, which every value is.
        guard !ports.isEmpty else { return ["    \(section): Record<never, never>;"] }
        let lines = ports.map { port in
            let type = writer.type(of: port.schema, named: "\(machine) \(section) \(port.name)")
            return "      \(TypeScriptWriter.key(port.name)): \(type);"
        }
        return ["    \(section): {"] + lines + ["    };"]
    }
}
