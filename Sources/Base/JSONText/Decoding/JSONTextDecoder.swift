struct JSONTextDecoder: Decoder {
    let value: JSONValue
    let place: JSONTextPlace?
    let reading: JSONReading
    var codingPath: [any CodingKey] { place?.path ?? [] }
    var userInfo: [CodingUserInfoKey: Any] { reading.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try JSONTextMembers(of: value, at: place, reading))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try JSONTextElements(of: value, at: place, reading)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        JSONTextScalar(value: value, place: place, reading: reading)
    }
}

/// The path of a value in the text.
// A linked list, because most values are decoded without an error and need no complete path.
package final class JSONTextPlace {
    private let parent: JSONTextPlace?
    private let key: any CodingKey

    init(_ key: any CodingKey, in parent: JSONTextPlace?) {
        self.key = key
        self.parent = parent
    }

    var path: [any CodingKey] { (parent?.path ?? []) + [key] }
}

package struct JSONTextIndex: CodingKey {
    package let intValue: Int?
    package var stringValue: String { "Index \(intValue ?? 0)" }

    package init(intValue: Int) { self.intValue = intValue }

    package init?(stringValue: String) { nil }
}

struct JSONTextScalar: SingleValueDecodingContainer {
    let value: JSONValue
    let place: JSONTextPlace?
    let reading: JSONReading
    var codingPath: [any CodingKey] { place?.path ?? [] }

    func decodeNil() -> Bool { value.kind == .null }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try reading.decode(type, value, at: place) }
}
