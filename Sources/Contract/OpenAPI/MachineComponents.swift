import MachineHost

/// The references to the schemas of one machine.
struct MachineComponents {
    let name: String
    let summary: String
    /// The schema of the parameters; nil if the machine takes none.
    let parameters: DocumentValue?
    /// Whether a session can be created without parameters.
    let needsParameters: Bool
    /// The inputs with the schemas of their values.
    let inputs: [(name: String, schema: DocumentValue, needsValue: Bool)]
    /// The schema of the outputs of a session.
    let outputs: DocumentValue
    /// The schema of the outputs that one turn changes.
    let changes: DocumentValue
    /// The schema of a batch.
    let batch: DocumentValue

    init(_ machine: HostDescription.Machine, in components: inout OpenAPIComponents) {
        let definition = machine.definition
        name = definition.name
        summary = definition.summary
        parameters = definition.parameters.map {
            components.add("\(definition.name).parameters", $0.schema, isInput: true)
        }
        needsParameters = definition.parameters.map { MachineComponents.isRequired($0.schema) } ?? false
        inputs = definition.inputs.map { input in
            (
                input.name, components.add("\(definition.name).input.\(input.name)", input.schema, isInput: true),
                !input.schema.acceptsNull
            )
        }
        let values = machine.outputs.map { output in
            (output, components.add("\(definition.name).output.\(output.name)", output.schema, isInput: false))
        }
        let members = values.filter { $0.0.kind == .value }.map { DocumentValue.Member(name: $0.0.name, value: $0.1) }
        // A value may be missing until the machine has shown it.
        outputs = components.add(
            "\(definition.name).outputs",
            ["type": "object", "properties": .object(members), "additionalProperties": false])
        let emitted = MachineComponents.emitted(values.filter { $0.0.kind == .event }.map { ($0.0.name, $0.1) })
        let changed = members.map { member in
            // An output that becomes nil is null.
            DocumentValue.Member(name: member.name, value: ["anyOf": [member.value, ["type": "null"]]])
        }
        changes = components.add(
            "\(definition.name).changes",
            ["type": "object", "properties": .object(changed + emitted), "additionalProperties": false])
        batch = components.add("\(definition.name).batch", MachineComponents.batch(inputs))
    }

    private static func isRequired(_ schema: JSONSchema) -> Bool {
        switch schema {
        case .object(let members), .open(let members): members.contains(where: \.isRequired)
        case .definitions(let schema, _): isRequired(schema)
        case .any, .null, .optional, .dictionary: false
        default: true
        }
    }

    private static func emitted(_ events: [(name: String, schema: DocumentValue)]) -> [DocumentValue.Member] {
        guard !events.isEmpty else { return [] }
        let forms = events.map { event -> DocumentValue in
            [
                "type": "object", "properties": ["output": ["const": .string(event.name)], "value": event.schema],
                "required": ["output", "value"],
            ]
        }
        return [.init(name: "$emitted", value: ["type": "array", "items": ["anyOf": .array(forms)]])]
    }

    private static func batch(
        _ inputs: [(name: String, schema: DocumentValue, needsValue: Bool)]
    ) -> DocumentValue {
        let forms = inputs.map { input -> DocumentValue in
            let required: DocumentValue = input.needsValue ? ["input", "value"] : ["input"]
            return [
                "type": "object", "properties": ["input": ["const": .string(input.name)], "value": input.schema],
                "required": required, "additionalProperties": false,
            ]
        }
        // A machine without inputs accepts only the empty batch.
        guard !forms.isEmpty else { return ["type": "array", "maxItems": 0] }
        return ["type": "array", "items": ["anyOf": .array(forms)]]
    }
}

extension JSONSchema {
    /// Whether null is a value of the schema. A missing value is null.
    var acceptsNull: Bool {
        switch self {
        case .null, .any, .optional: true
        case .definitions(let schema, _): schema.acceptsNull
        default: false
        }
    }
}
