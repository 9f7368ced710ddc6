import MachineHost

/// The members of an object. Few and all different, or Foundation is asked.
struct JSONTextMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let bytes: [UInt8]
    private let members: [(name: String, value: Range<Int>)]
    private let place: JSONTextPlace?
    var codingPath: [any CodingKey] { place?.path ?? [] }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    init(of value: JSONValue, at place: JSONTextPlace?) throws {
        guard value.kind == .object else { throw JSONTextDecoder.NotReadHere() }
        var found: [(name: String, value: Range<Int>)] = []
        var scanner = JSONScanner(value.bytes, at: value.range.lowerBound)
        try scanner.members { key, member in
            found.append((JSONValue(bytes: value.bytes, range: key).string ?? "", member))
        }
        guard found.count <= 32, JSONTextMembers.areDifferent(found) else { throw JSONTextDecoder.NotReadHere() }
        bytes = value.bytes
        members = found
        self.place = place
    }

    func contains(_ key: Key) -> Bool { value(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).kind == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try JSONTextDecoder.decode(type, try member(key), at: inside(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try JSONTextMembers<Nested>(of: try member(key), at: inside(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONTextElements(of: try member(key), at: inside(key))
    }

    /// What a superclass has written is rare enough to be left to Foundation.
    func superDecoder() throws -> any Decoder { throw JSONTextDecoder.NotReadHere() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw JSONTextDecoder.NotReadHere() }

    private func member(_ key: Key) throws -> JSONValue {
        guard let value = value(of: key) else { throw JSONTextDecoder.NotReadHere() }
        return value
    }

    private func value(of key: Key) -> JSONValue? {
        let name = key.stringValue
        return members.first { $0.name == name }.map { JSONValue(bytes: bytes, range: $0.value) }
    }

    private func inside(_ key: Key) -> JSONTextPlace { JSONTextPlace(key, in: place) }

    /// Which of several members of one name counts is for Foundation to say.
    private static func areDifferent(_ members: [(name: String, value: Range<Int>)]) -> Bool {
        for (index, member) in members.enumerated() where members[..<index].contains(where: { $0.name == member.name })
        {
            return false
        }
        return true
    }
}
