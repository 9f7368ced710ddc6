import MachineHost

/// Reads small values straight from their text: several times as fast as Foundation's decoder, which stays the judge of
/// everything out of the ordinary. So this one never says why it could not read something.
struct JSONTextDecoder: Decoder {
    let value: JSONValue
    let place: JSONTextPlace?
    var codingPath: [any CodingKey] { place?.path ?? [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Longer texts are left to Foundation: each level of nesting is scanned anew here.
    private static let longest = 4096

    /// The value; nil if the JSON, whose syntax has been checked, is none, or none that can be read here.
    static func read<T: Decodable>(_ type: T.Type, from json: ArraySlice<UInt8>) -> T? {
        guard json.count <= longest else { return nil }
        let bytes = Array(json)
        return try? decode(type, JSONValue(bytes: bytes, range: bytes.indices), at: nil)
    }

    /// The value of a part of the text. Throws if Foundation is to be asked.
    static func decode<T: Decodable>(_ type: T.Type, _ value: JSONValue, at place: JSONTextPlace?) throws -> T {
        if type == String.self {
            guard let text = value.string, let text = text as? T else { throw NotReadHere() }
            return text
        }
        if let direct = type as? any DirectlyRead.Type {
            guard let read = direct.init(json: value.slice) else { throw NotReadHere() }
            guard let read = read as? T else { throw NotReadHere() }
            return read
        }
        guard !(type is any ReadByFoundation.Type) else { throw NotReadHere() }
        return try T(from: JSONTextDecoder(value: value, place: place))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try JSONTextMembers(of: value, at: place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try JSONTextElements(of: value, at: place)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        JSONTextScalar(value: value, place: place)
    }

    /// Foundation is to be asked: it says what is wrong, if anything is.
    struct NotReadHere: Error {}
}

/// Where a value stands inside of another.
final class JSONTextPlace {
    private let parent: JSONTextPlace?
    private let key: any CodingKey

    init(_ key: any CodingKey, in parent: JSONTextPlace?) {
        self.key = key
        self.parent = parent
    }

    var path: [any CodingKey] { (parent?.path ?? []) + [key] }
}

/// The one value that something is.
struct JSONTextScalar: SingleValueDecodingContainer {
    let value: JSONValue
    let place: JSONTextPlace?
    var codingPath: [any CodingKey] { place?.path ?? [] }

    func decodeNil() -> Bool { value.kind == .null }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try JSONTextDecoder.decode(type, value, at: place) }
}
