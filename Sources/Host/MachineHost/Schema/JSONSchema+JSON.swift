import HTTPModel
import JSONText

extension JSONSchema {
    /// Appends the schema as JSON (JSON Schema 2020-12), on one line.
    ///
    /// - Parameters:
    ///   - json: The text to which the schema is appended.
    ///   - isInput: Whether the schema describes an input. Objects with unknown members are then refused, which the
    ///     schema states with `additionalProperties`.
    public func append(to json: inout [UInt8], isInput: Bool = false) {
        switch self {
        case .any: json.append("true")
        case .named(_, let schema): schema.append(to: &json, isInput: isInput)
        case .definitions(let schema, let definitions):
            json.append(UInt8(ascii: "{"))
            schema.appendMembers(to: &json, isInput)
            json.append(",\"$defs\":{")
            for (index, definition) in definitions.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                JSONWriter.append(definition.name, to: &json)
                json.append(UInt8(ascii: ":"))
                definition.schema.append(to: &json, isInput: isInput)
            }
            json.append("}}")
        default:
            json.append(UInt8(ascii: "{"))
            appendMembers(to: &json, isInput)
            json.append(UInt8(ascii: "}"))
        }
    }

    /// Appends the members of the schema, without braces; always at least one.
    private func appendMembers(to json: inout [UInt8], _ isInput: Bool) {
        let start = json.count
        defer { assert(json.count > start, "expected at least one member") }
        switch self {
        case .null: json.append("\"type\":\"null\"")
        case .boolean: json.append("\"type\":\"boolean\"")
        case .integer(let minimum, let maximum):
            json.append("\"type\":\"integer\"")
            if let minimum { json.append(contentsOf: ",\"minimum\":\(minimum)".utf8) }
            if let maximum { json.append(contentsOf: ",\"maximum\":\(maximum)".utf8) }
        case .number: json.append("\"type\":\"number\"")
        case .string(let format):
            json.append("\"type\":\"string\"")
            guard let format else { return }
            json.append(",\"format\":")
            JSONWriter.append(format, to: &json)
        case .strings(let strings):
            json.append("\"type\":\"string\",\"enum\":[")
            JSONSchema.append(strings, to: &json) { JSONWriter.append($0, to: &$1) }
        case .integers(let integers):
            json.append("\"type\":\"integer\",\"enum\":[")
            JSONSchema.append(integers, to: &json) { $1.append(contentsOf: String($0).utf8) }
        case .array(let element):
            json.append("\"type\":\"array\",\"items\":")
            element.append(to: &json, isInput: isInput)
        case .dictionary(let value):
            json.append("\"type\":\"object\",\"additionalProperties\":")
            value.append(to: &json, isInput: isInput)
        case .object(let members):
            JSONSchema.append(members, to: &json, isInput)
            if isInput { json.append(",\"additionalProperties\":false") }
        case .open(let members): JSONSchema.append(members, to: &json, isInput)
        case .optional(let schema):
            json.append("\"anyOf\":[")
            schema.append(to: &json, isInput: isInput)
            json.append(",{\"type\":\"null\"}]")
        case .named(_, let schema): schema.appendMembers(to: &json, isInput)
        case .reference(let name):
            json.append("\"$ref\":")
            // A JSON Pointer in a URI fragment (RFC 6901 §6).
            JSONWriter.append("#/$defs/" + PercentEncoding.encode(JSONPointer.segment(name)), to: &json)
        case .any, .definitions:
            json.append("\"allOf\":[")
            append(to: &json, isInput: isInput)
            json.append(UInt8(ascii: "]"))
        }
    }

    private static func append(_ members: [Member], to json: inout [UInt8], _ isInput: Bool) {
        json.append("\"type\":\"object\",\"properties\":{")
        for (index, member) in members.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            JSONWriter.append(member.name, to: &json)
            json.append(UInt8(ascii: ":"))
            member.schema.append(to: &json, isInput: isInput)
        }
        json.append(UInt8(ascii: "}"))
        let required = members.filter(\.isRequired)
        guard !required.isEmpty else { return }
        json.append(",\"required\":[")
        append(required.map(\.name), to: &json) { JSONWriter.append($0, to: &$1) }
    }

    /// Appends the elements and the closing bracket.
    private static func append<Element>(
        _ elements: [Element], to json: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            append(element, &json)
        }
        json.append(UInt8(ascii: "]"))
    }
}
