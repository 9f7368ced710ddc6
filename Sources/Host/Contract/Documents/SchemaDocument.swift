package import MachineHost

/// Writes the schema of a machine's port as a part of a document, and collects the definitions of its recursive types.
struct SchemaDocument {
    /// Returns the place of a definition in the document, as a URI reference.
    let place: (String) -> String
    /// Whether the schema is that of a value that clients send.
    let isInput: Bool
    /// Returns what stands for the schema of a type with a name, such as a reference to a component. Nil if types have no places of their own.
    var named: ((_ name: String, _ schema: DocumentValue) -> DocumentValue)?
    /// Whether integers of 64 bits have a format instead of their bounds, which tell a reader nothing.
    var hasFormats = false

    /// Returns the schema without its definitions.
    func value(of schema: JSONSchema) -> DocumentValue {
        switch schema {
        case .any: true
        case .null: ["type": "null"]
        case .boolean: ["type": "boolean"]
        case .integer(.min, UInt64(Int64.max)) where hasFormats: ["type": "integer", "format": "int64"]
        case .integer(0, .max) where hasFormats: ["type": "integer", "format": "uint64", "minimum": 0]
        case .integer(let minimum, let maximum):
            .members([
                ("type", "integer"), ("minimum", minimum.map(DocumentValue.integer)),
                ("maximum", maximum.map(DocumentValue.unsigned)),
            ])
        case .number: ["type": "number"]
        case .string(let format): text(format)
        case .strings(let texts): ["type": "string", "enum": .strings(texts)]
        case .integers(let numbers): ["type": "integer", "enum": .array(numbers.map(DocumentValue.integer))]
        case .array(let element): ["type": "array", "items": value(of: element)]
        case .dictionary(let element): ["type": "object", "additionalProperties": value(of: element)]
        case .object(let members): object(members, isClosed: isInput)
        case .open(let members): object(members, isClosed: false)
        case .optional(let schema): ["anyOf": [value(of: schema), ["type": "null"]]]
        case .reference(let name): ["$ref": .string(place(name))]
        case .named(let name, let schema): named?(name, value(of: schema)) ?? value(of: schema)
        case .definitions(let schema, _): value(of: schema)
        }
    }

    private func text(_ format: String?) -> DocumentValue {
        // Not a format of JSON Schema: there, the encoding of a text is a keyword of its own.
        guard format != "base64" else {
            return ["type": "string", "contentEncoding": "base64", "pattern": "^[A-Za-z0-9+/]*={0,2}$"]
        }
        return .members([("type", "string"), ("format", format.map(DocumentValue.string))])
    }

    private func object(_ members: [JSONSchema.Member], isClosed: Bool) -> DocumentValue {
        let required = members.filter(\.isRequired).map(\.name)
        return .members([
            ("type", "object"),
            ("properties", .object(members.map { .init(name: $0.name, value: value(of: $0.schema)) })),
            ("required", required.isEmpty ? nil : .strings(required)),
            ("additionalProperties", isClosed ? false : nil),
        ])
    }
}

extension JSONSchema {
    /// The definitions of the schema's recursive types.
    var definitions: [Definition] {
        if case .definitions(_, let definitions) = self { definitions } else { [] }
    }

    /// Whether a value inside the schema may be anything, because its type could not be found.
    package var isUntyped: Bool {
        switch self {
        case .any: true
        case .null, .boolean, .integer, .number, .string, .strings, .integers, .reference: false
        case .array(let schema), .dictionary(let schema), .optional(let schema), .named(_, let schema): schema.isUntyped
        case .object(let members), .open(let members): members.contains { $0.schema.isUntyped }
        case .definitions(let schema, let definitions):
            schema.isUntyped || definitions.contains { $0.schema.isUntyped }
        }
    }
}
