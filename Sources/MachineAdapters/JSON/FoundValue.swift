import FoundationEssentials
import MachineHost

/// A JSON value of which only the kinds of its parts matter: for saying what came instead of what was expected.
indirect enum FoundValue: Decodable {
    case null
    case kind(String)
    case object([String: FoundValue])
    case list([FoundValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let members = try? container.decode([String: FoundValue].self) {
            self = .object(members)
        } else if let elements = try? container.decode([FoundValue].self) {
            self = .list(elements)
        } else if let text = try? container.decode(String.self) {
            self = .kind(text.count > 32 ? "a string" : "\"\(text)\"")
        } else if let flag = try? container.decode(Bool.self) {
            self = .kind("the boolean \(flag)")
        } else {
            self = .kind("a number")
        }
    }

    /// What people call a JSON value, told by its first byte.
    static func kind(of json: ArraySlice<UInt8>) -> String {
        switch json.first {
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
        case UInt8(ascii: "n"): "null"
        default: "the number \(String(decoding: json.prefix(32), as: UTF8.self))"
        }
    }

    /// What people call the value at that place; nil if there is none.
    func kind(at path: ArraySlice<any CodingKey>) -> String? {
        if let key = path.first {
            switch self {
            case .object(let members): return members[key.stringValue]?.kind(at: path.dropFirst())
            case .list(let elements):
                guard let index = key.intValue, elements.indices.contains(index) else { return nil }
                return elements[index].kind(at: path.dropFirst())
            case .null, .kind: return nil
            }
        }
        return switch self {
        case .null: "null"
        case .kind(let kind): kind
        case .object: "an object"
        case .list: "an array"
        }
    }
}
