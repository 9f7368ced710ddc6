/// A JSON5 value as Foundation decodes it.
enum JSON5Value: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON5Value])
    case object([String: JSON5Value])

    /// The kind of the value with its article, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSON5Value: Decodable {
    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            let members = try container.allKeys.map { key in
                (key.stringValue, try container.decode(JSON5Value.self, forKey: key))
            }
            self = .object(Dictionary(members) { first, _ in first })
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSON5Value] = []
            while !container.isAtEnd {
                elements.append(try container.decode(JSON5Value.self))
            }
            self = .array(elements)
        } else {
            self = try Self(scalar: decoder.singleValueContainer())
        }
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            return nil
        }
    }
}
