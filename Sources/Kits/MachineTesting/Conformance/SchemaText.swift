import HTTPModel
import JSONText
import MachineHost

/// A JSON Schema as clients receive it, parsed from its text. Supports the part of draft 2020-12 that hosts use.
struct SchemaText {
    private let root: JSONValue

    /// Parses a schema. Returns nil if the text is not JSON.
    init?(json: String) {
        guard let root = JSONValue(text: json) else { return nil }
        self.root = root
    }

    /// Creates the text of a schema.
    ///
    /// - Parameter isInput: Whether it is the schema of an input.
    init?(_ schema: JSONSchema, isInput: Bool = false) {
        var json: [UInt8] = []
        schema.append(to: &json, isInput: isInput)
        self.init(json: String(decoding: json, as: UTF8.self))
    }

    /// Returns whether the schema accepts a value; nil if the text is not JSON.
    func accepts(_ json: String) -> Bool? {
        JSONValue(text: json).map { accepts($0, root) }
    }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        guard schema.kind == .object else { return schema.text == "true" }
        return (schema.members ?? []).allSatisfy { keyword, expected in
            switch keyword {
            case "type": hasType(value, expected.string ?? "")
            case "enum": expected.elements?.contains { $0.text == value.text } ?? false
            case "minimum": value.number.map { $0 >= expected.number ?? 0 } ?? true
            case "maximum": value.number.map { $0 <= expected.number ?? 0 } ?? true
            case "items": value.elements?.allSatisfy { accepts($0, expected) } ?? true
            case "properties": members(of: value, acceptedBy: expected)
            case "additionalProperties": additionalMembers(of: value, schema).allSatisfy { accepts($0, expected) }
            case "required": value.members.map { has($0.map(\.name), expected) } ?? true
            case "anyOf": expected.elements?.contains { accepts(value, $0) } ?? false
            case "allOf": expected.elements?.allSatisfy { accepts(value, $0) } ?? false
            case "$ref": definition(expected.string ?? "").map { accepts(value, $0) } ?? false
            default: true
            }
        }
    }

    private func hasType(_ value: JSONValue, _ type: String) -> Bool {
        switch (type, value.kind) {
        case ("null", .null), ("boolean", .boolean), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number): value.number.map { $0 == $0.rounded() } ?? false
        default: false
        }
    }

    private func members(of value: JSONValue, acceptedBy properties: JSONValue) -> Bool {
        guard let members = value.members else { return true }
        return members.allSatisfy { name, member in
            properties.members?.first { $0.name == name }.map { accepts(member, $0.value) } ?? true
        }
    }

    private func additionalMembers(of value: JSONValue, _ schema: JSONValue) -> [JSONValue] {
        let properties = schema.members?.first { $0.name == "properties" }?.value.members?.map(\.name) ?? []
        return (value.members ?? []).filter { !properties.contains($0.name) }.map(\.value)
    }

    private func has(_ names: [String], _ required: JSONValue) -> Bool {
        required.elements?.allSatisfy { names.contains($0.string ?? "") } ?? false
    }

    private func definition(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/$defs/"), let name = PercentEncoding.decode(reference.dropFirst(8)) else {
            return nil
        }
        let definitions = root.members?.first { $0.name == "$defs" }?.value.members
        return definitions?.first { $0.name == name.replacing("~1", with: "/").replacing("~0", with: "~") }?.value
    }
}

extension SchemaText {
    /// The reasons why the text is not a valid schema.
    var defects: [String] { defects(of: root) }

    private func defects(of schema: JSONValue) -> [String] {
        if schema.kind == .boolean { return [] }
        guard let members = schema.members else {
            return ["expected a schema to be an object or a boolean, got \(schema.text)"]
        }
        return members.flatMap { defects(of: $0.name, $0.value) }
    }

    private func defects(of keyword: String, _ value: JSONValue) -> [String] {
        switch keyword {
        case "type":
            let types: Set = ["null", "boolean", "integer", "number", "string", "array", "object"]
            return types.contains(value.string ?? "") ? [] : ["expected a type of JSON Schema, got \(value.text)"]
        case "items", "additionalProperties": return defects(of: value)
        case "properties", "$defs":
            guard let members = value.members else { return ["expected \(keyword) to be an object, got \(value.text)"] }
            return members.flatMap { defects(of: $0.value) }
        case "anyOf", "allOf":
            guard let schemas = value.elements, !schemas.isEmpty else {
                return ["expected \(keyword) to be a list of schemas, got \(value.text)"]
            }
            return schemas.flatMap { defects(of: $0) }
        case "enum":
            return value.elements?.isEmpty == false ? [] : ["expected enum to be a list of values, got \(value.text)"]
        case "required":
            let names = value.elements?.map(\.string)
            return names?.contains(nil) == false ? [] : ["expected required to be a list of names, got \(value.text)"]
        case "minimum", "maximum":
            return value.number == nil ? ["expected \(keyword) to be a number, got \(value.text)"] : []
        case "format": return value.string == nil ? ["expected format to be a string, got \(value.text)"] : []
        case "$ref": return definition(value.string ?? "") == nil ? ["nothing is defined at \(value.text)"] : []
        default: return ["unknown keyword \"\(keyword)\""]
        }
    }
}

extension JSONValue {
    /// Parses a text that is a single value. Returns nil if it is not JSON.
    fileprivate init?(text: String) {
        let bytes = Array(text.utf8)
        guard let range = try? JSONScanner.document(bytes, nestingLimit: 512) else { return nil }
        self.init(bytes: bytes, range: range)
    }

    fileprivate var text: String { String(decoding: slice, as: UTF8.self) }

    fileprivate var number: Double? { kind == .number ? Double(text) : nil }

    fileprivate var members: [(name: String, value: JSONValue)]? {
        guard kind == .object else { return nil }
        var members: [(name: String, value: JSONValue)] = []
        var scanner = JSONScanner(bytes, at: range.lowerBound)
        try? scanner.members { key, value in
            members.append((JSONValue(bytes: bytes, range: key).string ?? "", JSONValue(bytes: bytes, range: value)))
        }
        return members
    }
}
