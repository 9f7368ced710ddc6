import MachineHost

/// The schemas of one machine, with an example of each value.
struct MachineComponents {
    /// The content of a client's request.
    struct Body {
        let schema: DocumentValue
        let example: DocumentValue
        /// Whether it must be present.
        let isRequired: Bool
    }

    let name: String
    let summary: String
    /// The parameters; nil if the machine takes none.
    let parameters: Body?
    let inputs: [(name: String, value: Body)]
    /// The schema of the outputs of a session.
    let outputs: DocumentValue
    let outputsExample: DocumentValue
    /// The schema of the outputs that one turn changes.
    let changes: DocumentValue
    let changesExample: DocumentValue
    let batch: Body

    init(_ machine: MachineDefinition, in components: OpenAPIComponents) {
        name = machine.name
        summary = machine.summary
        // Before the inputs, so that the types of outputs have the plain names.
        let values = machine.outputs.filter { $0.kind == .value }.map { output in
            (output, components.schema(output.schema, isInput: false))
        }
        let events = machine.outputs.filter { $0.kind == .event }.map { output in
            (output.name, components.schema(output.schema, isInput: false))
        }
        // A value may be missing until the machine has shown it.
        let members = values.map { DocumentValue.Member(name: $0.0.name, value: $0.1) }
        outputs = components.add(
            "Outputs", ["type": "object", "properties": .object(members), "additionalProperties": false])
        let changed = members.map { member in
            // An output that becomes nil is null.
            DocumentValue.Member(name: member.name, value: ["anyOf": [member.value, ["type": "null"]]])
        }
        changes = components.add(
            "Changes",
            [
                "type": "object", "properties": .object(changed + MachineComponents.emitted(events)),
                "additionalProperties": false,
            ])
        let examples = values.map {
            DocumentValue.Member(name: $0.0.name, value: SchemaExample.value(of: $0.0.schema))
        }
        outputsExample = .object(examples)
        changesExample = .object(Array(examples.prefix(1)))
        parameters = machine.parameters.map { parameters in
            Body(
                schema: components.schema(parameters.schema, isInput: true),
                example: SchemaExample.value(of: parameters.schema),
                isRequired: MachineComponents.isRequired(parameters.schema))
        }
        inputs = machine.inputs.map { input in
            let value = Body(
                schema: components.schema(input.schema, isInput: true),
                example: SchemaExample.value(of: input.schema), isRequired: !input.schema.acceptsNull)
            return (input.name, value)
        }
        batch = MachineComponents.batch(inputs, in: components)
    }

    private static func isRequired(_ schema: JSONSchema) -> Bool {
        switch schema {
        case .object(let members), .open(let members): members.contains(where: \.isRequired)
        case .definitions(let schema, _), .named(_, let schema): isRequired(schema)
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

    private static func batch(_ inputs: [(name: String, value: Body)], in components: OpenAPIComponents) -> Body {
        let forms = inputs.map { input -> DocumentValue in
            let required: DocumentValue = input.value.isRequired ? ["input", "value"] : ["input"]
            return [
                "type": "object", "properties": ["input": ["const": .string(input.name)], "value": input.value.schema],
                "required": required, "additionalProperties": false,
            ]
        }
        // A machine without inputs accepts only the empty batch.
        let schema: DocumentValue =
            forms.isEmpty
            ? ["type": "array", "maxItems": 0] : ["type": "array", "items": ["anyOf": .array(forms)]]
        let example = inputs.prefix(2).map { input -> DocumentValue in
            .members([("input", .string(input.name)), ("value", input.value.isRequired ? input.value.example : nil)])
        }
        return Body(schema: components.add("Batch", schema), example: .array(example), isRequired: true)
    }
}

extension JSONSchema {
    /// Whether null is a value of the schema. A missing value is null.
    var acceptsNull: Bool {
        switch self {
        case .null, .any, .optional: true
        case .definitions(let schema, _), .named(_, let schema): schema.acceptsNull
        default: false
        }
    }
}
