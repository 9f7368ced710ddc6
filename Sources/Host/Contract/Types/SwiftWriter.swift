import MachineHost

/// Writes schemas as Swift types, and collects the declarations of those that need one.
struct SwiftWriter {
    /// The names of the definitions around a schema, and whether a reference to one must be indirect.
    struct Names {
        var types: [String: String] = [:]
        /// Whether the schema is a member of a definition itself: a structure cannot contain itself.
        var isInside = false

        /// The names for the elements of an array or dictionary, in which a structure can contain itself.
        var inCollection: Names { Names(types: types) }
    }

    /// The declarations, in the order in which the types were found.
    private(set) var declarations: [[String]] = []
    private var names = DistinctNames(taken: SwiftName.takenTypes)
    /// The types without references by their schemas, so that equal schemas have one type.
    private var known: [(schema: JSONSchema, name: String)] = []

    /// Returns the type of a port, with the declarations that it needs.
    mutating func type(ofPort schema: JSONSchema, in path: [String]) -> String {
        let (inner, names) = define(schema, in: path)
        return type(of: inner, in: path, names)
    }

    /// Declares the definitions of a schema, and returns the schema without them.
    mutating func define(_ schema: JSONSchema, in path: [String]) -> (JSONSchema, Names) {
        guard case .definitions(let inner, let definitions) = schema else { return (schema, Names()) }
        var names = Names()
        for definition in definitions where names.types[definition.name] == nil {
            names.types[definition.name] = self.names.reserve(SwiftName.type([definition.name]))
        }
        names.isInside = true
        for definition in definitions {
            guard let name = names.types[definition.name] else { continue }
            declare(definition, name, names)
        }
        names.isInside = false
        return (inner, names)
    }

    private mutating func declare(_ definition: JSONSchema.Definition, _ name: String, _ names: Names) {
        switch definition.schema {
        case .object(let members), .open(let members):
            declarations.append([Self.comment] + structure(name, members, in: [definition.name], names))
        // An alias cannot refer to itself, so that its values are not described further.
        default: declarations.append(["public typealias \(name) = JSON"])
        }
    }

    /// Returns the type of a schema.
    ///
    /// - Parameters:
    ///   - path: Where it is, for the name of its type.
    ///   - names: The definitions around it.
    mutating func type(of schema: JSONSchema, in path: [String], _ names: Names) -> String {
        switch schema {
        case .any, .null: return "JSON"
        case .boolean: return "Bool"
        case .integer(_, let maximum): return maximum.map { $0 > UInt64(Int64.max) } == true ? "UInt64" : "Int"
        case .integers: return "Int"
        case .number: return "Double"
        case .string, .strings([]): return "String"
        case .strings(let texts): return enumerationType(schema, texts, path)
        case .array(let element): return "[\(type(of: element, in: path + ["item"], names.inCollection))]"
        case .dictionary(let value): return "[String: \(type(of: value, in: path + ["value"], names.inCollection))]"
        case .optional(let schema):
            let type = type(of: schema, in: path, names)
            return type.hasSuffix("?") ? type : type + "?"
        case .object(let members), .open(let members): return structureType(schema, members, path, names)
        case .named(let name, let schema): return type(of: schema, in: [name], names)
        case .reference(let name):
            guard let type = names.types[name] else { return "JSON" }
            return names.isInside ? "Indirect<\(type)>" : type
        case .definitions:
            let (inner, names) = define(schema, in: path)
            return type(of: inner, in: path, names)
        }
    }

    private mutating func structureType(
        _ schema: JSONSchema, _ members: [JSONSchema.Member], _ path: [String], _ names: Names
    ) -> String {
        if let name = known.first(where: { $0.schema == schema })?.name { return name }
        let name = self.names.reserve(SwiftName.type(path))
        // References mean something else in another place.
        if !schema.hasReference { known.append((schema, name)) }
        let lines = structure(name, members, in: path, names)
        declarations.append([Self.comment] + lines)
        return name
    }

    private static let comment = "/// An object."

    private mutating func enumerationType(_ schema: JSONSchema, _ texts: [String], _ path: [String]) -> String {
        if let name = known.first(where: { $0.schema == schema })?.name { return name }
        let name = names.reserve(SwiftName.type(path))
        known.append((schema, name))
        var cases = DistinctNames()
        let lines = texts.map { text in
            let name = cases.reserve(SwiftName.member(text))
            return "case \(SwiftName.written(name))" + (name == text ? "" : " = \(SwiftWriter.literal(text))")
        }
        declarations.append(
            ["/// One of the texts of a value.", "public enum \(name): String, Codable, Hashable, Sendable {"]
                + SwiftWriter.indented(lines) + ["}"])
        return name
    }

    mutating func structure(
        _ name: String, _ members: [JSONSchema.Member], in path: [String], _ names: Names
    ) -> [String] {
        var distinct = DistinctNames()
        let properties = members.map { member in
            let type = type(of: member.schema, in: path + [member.name], names)
            return SwiftProperty(member, named: distinct.reserve(SwiftName.member(member.name)), type: type)
        }
        let declarations = properties.map { "public var \($0.written): \($0.type)" }
        let sections = [declarations, SwiftProperty.initializer(properties)] + SwiftProperty.coding(properties)
        let body = sections.filter { !$0.isEmpty }.joined(separator: [""])
        return ["public struct \(name): Codable, Hashable, Sendable {"]
            + SwiftWriter.indented(Array(body)) + ["}"]
    }

    /// Returns lines one level deeper.
    static func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : "    " + $0 } }

    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case " "..."~": literal.unicodeScalars.append(scalar)
            default: literal += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return literal + "\""
    }
}

extension JSONSchema {
    /// Whether the schema refers to a definition around it.
    fileprivate var hasReference: Bool {
        switch self {
        case .reference, .definitions: true
        case .named(_, let schema): schema.hasReference
        case .null, .any, .boolean, .integer, .number, .string, .strings, .integers: false
        case .array(let schema), .dictionary(let schema), .optional(let schema): schema.hasReference
        case .object(let members), .open(let members): members.contains { $0.schema.hasReference }
        }
    }
}
