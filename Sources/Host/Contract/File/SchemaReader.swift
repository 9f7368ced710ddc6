import HTTPModel
import JSONText
import MachineHost

/// Reads the schemas that the host and contracts contain.
enum SchemaReader {
    /// Returns the schema with its definitions.
    ///
    /// - Parameter place: The name of the schema in messages.
    static func schema(_ value: JSONValue, isInput: Bool, _ place: String) throws(ContractError) -> JSONSchema {
        let schema = try content(value, isInput, place)
        guard let definitions = value.member("$defs") else { return schema }
        var read: [JSONSchema.Definition] = []
        for (name, value) in members(of: definitions) {
            read.append(.init(name: name, schema: try content(value, isInput, place)))
        }
        return .definitions(schema, read)
    }

    private static func content(
        _ value: JSONValue, _ isInput: Bool, _ place: String
    ) throws(ContractError) -> JSONSchema {
        if value.kind == .boolean { return .any }
        if let reference = value.member("$ref")?.string { return .reference(try name(in: reference, place)) }
        if let forms = value.member("anyOf")?.elements {
            guard let first = forms.first, forms.count == 2 else { throw unknown(value, place) }
            return .optional(try content(first, isInput, place))
        }
        // The host writes a schema that is any value, but has definitions, in this way.
        if value.member("allOf") != nil { return .any }
        switch value.member("type")?.string {
        case "null": return .null
        case "boolean": return .boolean
        case "number": return .number
        case "integer": return integer(value)
        case "string":
            if let texts = value.member("enum")?.elements { return .strings(texts.compactMap(\.string)) }
            let isData = value.member("contentEncoding") != nil
            return .string(format: isData ? "base64" : value.member("format")?.string)
        case "array":
            guard let items = value.member("items") else { throw unknown(value, place) }
            return .array(try content(items, isInput, place))
        case "object": return try object(value, isInput, place)
        default: throw unknown(value, place)
        }
    }

    private static func integer(_ value: JSONValue) -> JSONSchema {
        func text(_ value: JSONValue?) -> String? { value.map { String(decoding: $0.slice, as: UTF8.self) } }
        if let numbers = value.member("enum")?.elements {
            return .integers(numbers.compactMap { text($0).flatMap { Int64($0) } })
        }
        return .integer(
            minimum: text(value.member("minimum")).flatMap { Int64($0) },
            maximum: text(value.member("maximum")).flatMap { UInt64($0) })
    }

    private static func object(
        _ value: JSONValue, _ isInput: Bool, _ place: String
    ) throws(ContractError) -> JSONSchema {
        let rest = value.member("additionalProperties")
        guard let properties = value.member("properties") else {
            guard let rest else { throw unknown(value, place) }
            return .dictionary(try content(rest, isInput, place))
        }
        let required = Set((value.member("required")?.elements ?? []).compactMap(\.string))
        var read: [JSONSchema.Member] = []
        for (name, value) in members(of: properties) {
            read.append(
                .init(name: name, schema: try content(value, isInput, place), isRequired: required.contains(name)))
        }
        return isInput && rest == nil ? .open(read) : .object(read)
    }

    /// Returns the members of an object, in their order.
    private static func members(of value: JSONValue) -> [(String, JSONValue)] {
        guard value.kind == .object else { return [] }
        var found: [(String, JSONValue)] = []
        var scanner = JSONScanner(value.bytes, at: value.range.lowerBound)
        // Cannot throw: the syntax was checked.
        try? scanner.members { key, range in
            let name = JSONValue(bytes: value.bytes, range: key).keyText
            found.append((name, JSONValue(bytes: value.bytes, range: range)))
        }
        return found
    }

    private static func name(in reference: String, _ place: String) throws(ContractError) -> String {
        let prefix = "#/$defs/"
        guard reference.hasPrefix(prefix), let segment = PercentEncoding.decode(reference.dropFirst(prefix.count))
        else {
            throw ContractError(description: "\(place): expected a reference into $defs, got \"\(reference)\"")
        }
        return segment.replacing("~1", with: "/").replacing("~0", with: "~")
    }

    private static func unknown(_ value: JSONValue, _ place: String) -> ContractError {
        ContractError(
            description: "\(place): unknown schema \(String(decoding: value.slice.prefix(80), as: UTF8.self))")
    }
}
