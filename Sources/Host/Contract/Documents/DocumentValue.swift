import JSONText

/// A JSON value that is written as a part of a document. Members keep their order.
package indirect enum DocumentValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case string(String)
    case array([DocumentValue])
    case object([Member])

    package struct Member: Equatable, Sendable {
        /// The key.
        package let name: String
        package let value: DocumentValue
    }

    /// Returns an object without the members whose value is nil.
    package static func members(_ members: [(String, DocumentValue?)]) -> DocumentValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    static func strings(_ strings: [String]) -> DocumentValue { .array(strings.map(DocumentValue.string)) }

    static func component(_ kind: String, _ name: String) -> DocumentValue {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }

    /// Appends the value as JSON.
    ///
    /// - Parameter indentation: The number of spaces before the lines of the value; nil for a value on one line.
    package func append(to json: inout [UInt8], indentation: Int? = nil) {
        switch self {
        case .null: json.append(contentsOf: "null".utf8)
        case .bool(let value): json.append(contentsOf: "\(value)".utf8)
        case .integer(let value): json.append(contentsOf: "\(value)".utf8)
        case .unsigned(let value): json.append(contentsOf: "\(value)".utf8)
        case .string(let text): JSONWriter.append(text, to: &json)
        case .array(let elements):
            DocumentValue.append(elements, "[", "]", indentation, to: &json) { element, inner, json in
                element.append(to: &json, indentation: inner)
            }
        case .object(let members):
            DocumentValue.append(members, "{", "}", indentation, to: &json) { member, inner, json in
                JSONWriter.append(member.name, to: &json)
                json.append(contentsOf: (inner == nil ? ":" : ": ").utf8)
                member.value.append(to: &json, indentation: inner)
            }
        }
    }

    private static func append<Element>(
        _ elements: [Element], _ opening: String, _ closing: String, _ indentation: Int?, to json: inout [UInt8],
        _ append: (Element, Int?, inout [UInt8]) -> Void
    ) {
        json.append(contentsOf: opening.utf8)
        let inner = elements.isEmpty ? nil : indentation.map { $0 + 2 }
        for (index, element) in elements.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            if let inner { json.append(contentsOf: ("\n" + String(repeating: " ", count: inner)).utf8) }
            append(element, inner, &json)
        }
        if inner != nil, let indentation {
            json.append(contentsOf: ("\n" + String(repeating: " ", count: indentation)).utf8)
        }
        json.append(contentsOf: closing.utf8)
    }
}

extension DocumentValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(arrayLiteral elements: DocumentValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, DocumentValue)...) {
        self = .object(elements.map { Member(name: $0, value: $1) })
    }
}
