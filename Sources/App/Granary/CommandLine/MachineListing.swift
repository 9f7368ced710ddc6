import MachineHost

/// The output of the `machines` command: all inputs and outputs with their types, so that operators see what clients
/// can see.
enum MachineListing {
    /// - Parameter preset: What sessions survive whose machine requests nothing.
    static func lines(of machine: MachineDefinition, byDefault preset: Durability = .memory) -> [String] {
        var lines = [machine.name, "  \(machine.summary)"]
        let durability = machine.durability(stored: .replicated, byDefault: preset)
        let reason = preset > .memory ? machine.obstacleText.map { ": \($0)" } ?? "" : ""
        lines.append("  durability: \(durability.rawValue)\(reason)")
        if let parameters = machine.parameters { lines.append("  parameters: \(parameters.schema.typeText)") }
        lines += section("inputs", machine.inputs.map { ($0.name, $0.schema.typeText) })
        let heading =
            machine.showsWholeStore
            ? "outputs (all published properties of its store, including private ones)" : "outputs"
        lines += section(
            heading,
            machine.outputs.map { ($0.name, ($0.kind == .event ? "event of " : "") + $0.schema.typeText) })
        return lines + [""]
    }

    private static func section(_ heading: String, _ ports: [(name: String, type: String)]) -> [String] {
        guard !ports.isEmpty else { return ["  no \(heading)"] }
        let width = ports.map(\.name.count).max() ?? 0
        return ["  \(heading)"]
            + ports.map { port in
                "    \(port.name)\(String(repeating: " ", count: width - port.name.count))  \(port.type)"
            }
    }
}

extension JSONSchema {
    /// The type on one line, in a notation similar to TypeScript's.
    var typeText: String {
        switch self {
        case .null: "null"
        case .any: "any"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string(let format): format.map { "string (\($0))" } ?? "string"
        case .strings(let texts): texts.map { "\"\($0)\"" }.joined(separator: " | ")
        case .integers(let numbers): numbers.map(String.init).joined(separator: " | ")
        case .array(let element): "[\(element.typeText)]"
        case .dictionary(let value): "{string: \(value.typeText)}"
        case .object(let members): Self.text(of: members, end: "")
        case .open(let members): Self.text(of: members, end: "…")
        case .optional(let schema): "\(schema.typeText) | null"
        case .named(_, let schema): schema.typeText
        case .reference(let name): name
        case .definitions(let schema, let definitions):
            schema.typeText + " where "
                + definitions.map { "\($0.name) = \($0.schema.typeText)" }.joined(separator: ", ")
        }
    }

    private static func text(of members: [Member], end: String) -> String {
        let texts = members.map { "\($0.name)\($0.isRequired ? "" : "?"): \($0.schema.typeText)" }
        return "{\((texts + (end.isEmpty ? [] : [end])).joined(separator: ", "))}"
    }
}
