import MachineHost

/// An example of the values that a schema accepts.
struct SchemaExample {
    private let definitions: [JSONSchema.Definition]

    /// The number of recursive types inside each other that an example contains.
    private static let deepest = 3

    /// Returns an example: the same for the same schema.
    static func value(of schema: JSONSchema) -> DocumentValue {
        SchemaExample(definitions: schema.definitions).value(of: schema, 0) ?? .null
    }

    /// Returns nil if the example would be deeper than ``deepest``.
    private func value(of schema: JSONSchema, _ depth: Int) -> DocumentValue? {
        switch schema {
        case .null, .any: .null
        case .boolean: true
        case .integer(let minimum, let maximum): SchemaExample.integer(minimum, maximum)
        case .number: 1
        case .string(let format): SchemaExample.text(format)
        case .strings(let texts): texts.first.map(DocumentValue.string)
        case .integers(let numbers): numbers.first.map(DocumentValue.integer)
        case .array(let element): .array(value(of: element, depth).map { [$0] } ?? [])
        case .dictionary(let element): .object(value(of: element, depth).map { [.init(name: "key", value: $0)] } ?? [])
        case .object(let members), .open(let members): object(members, depth)
        case .optional(let schema): value(of: schema, depth) ?? .null
        case .named(_, let schema), .definitions(let schema, _): value(of: schema, depth)
        case .reference(let name):
            depth < SchemaExample.deepest
                ? definitions.first { $0.name == name }.flatMap { value(of: $0.schema, depth + 1) } : nil
        }
    }

    private func object(_ members: [JSONSchema.Member], _ depth: Int) -> DocumentValue? {
        var values: [DocumentValue.Member] = []
        for member in members {
            guard let value = value(of: member.schema, depth) else {
                guard member.isRequired else { continue }
                return nil
            }
            values.append(.init(name: member.name, value: value))
        }
        // Without required members, it may be an enumeration, whose values have one member.
        guard !members.isEmpty, !members.contains(where: \.isRequired) else { return .object(values) }
        return values.first.map { .object([$0]) }
    }

    private static func integer(_ minimum: Int64?, _ maximum: UInt64?) -> DocumentValue {
        .integer(min(max(1, minimum ?? 1), Int64(clamping: maximum ?? 1)))
    }

    private static func text(_ format: String?) -> DocumentValue {
        switch format {
        case "date-time": "2026-01-31T12:00:00Z"
        case "uri": "https://example.com/"
        case "uuid": "2F1B7A8C-5D34-4E0B-9C61-7A0E4D5B3F28"
        case "base64": "AQID"
        default: "text"
        }
    }
}
