import MachineHost

extension JSONSchema {
    /// The schema without the names of types.
    var plain: JSONSchema {
        func plain(_ members: [Member]) -> [Member] {
            members.map { Member(name: $0.name, schema: $0.schema.plain, isRequired: $0.isRequired) }
        }
        return switch self {
        case .named(_, let schema): schema.plain
        case .array(let element): .array(element.plain)
        case .dictionary(let value): .dictionary(value.plain)
        case .object(let members): .object(plain(members))
        case .open(let members): .open(plain(members))
        case .optional(let schema): .optional(schema.plain)
        case .definitions(let schema, let definitions):
            .definitions(
                schema.plain, definitions.map { Definition(name: $0.name, schema: $0.schema.plain) })
        case .null, .any, .boolean, .integer, .number, .string, .strings, .integers, .reference: self
        }
    }
}
