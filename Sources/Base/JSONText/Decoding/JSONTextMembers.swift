/// The members of an object. If a name is repeated, the first member is used.
struct JSONTextMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSONValue
    private let members: [JSONReading.Member]
    /// The indices of the members of a large object, by name.
    private let positions: [String: Int]
    private let place: JSONTextPlace?
    private let reading: JSONReading
    var codingPath: [any CodingKey] { place?.path ?? [] }

    init(of value: JSONValue, at place: JSONTextPlace?, _ reading: JSONReading) throws {
        guard value.kind == .object else { throw reading.mismatch([String: Any].self, value, at: place) }
        object = value
        members = reading.members(of: value)
        positions =
            members.count > 16
            ? Dictionary(members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first }) : [:]
        self.place = place
        self.reading = reading
        reading.note(members, ofObjectAt: value.range.lowerBound, place, Key.self)
    }

    var allKeys: [Key] {
        var seen: Set<String> = []
        return members.compactMap { seen.insert($0.name).inserted ? Key(stringValue: $0.name) : nil }
    }

    func contains(_ key: Key) -> Bool { value(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).kind == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try reading.decode(type, try member(key), at: inside(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try JSONTextMembers<Nested>(of: try member(key), at: inside(key), reading))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONTextElements(of: try member(key), at: inside(key), reading)
    }

    /// Returns a decoder of the member `super`, or of null if none exists.
    func superDecoder() throws -> any Decoder {
        reading.noteKnown("super", ofObjectAt: object.range.lowerBound)
        let null = JSONValue(bytes: Array("null".utf8), range: 0..<4)
        return JSONTextDecoder(
            value: value(named: "super") ?? null, place: JSONTextPlace(JSONSuperKey(), in: place), reading: reading)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        JSONTextDecoder(value: try member(key), place: inside(key), reading: reading)
    }

    private func member(_ key: Key) throws -> JSONValue {
        if let value = value(of: key) { return value }
        throw DecodingError.keyNotFound(
            key, .init(codingPath: codingPath, debugDescription: "expected the member \(key.stringValue)"))
    }

    private func value(of key: Key) -> JSONValue? { value(named: key.stringValue) }

    private func value(named name: String) -> JSONValue? {
        let index = positions.isEmpty ? members.firstIndex { $0.name == name } : positions[name]
        return index.map { JSONValue(bytes: object.bytes, range: members[$0].value) }
    }

    private func inside(_ key: Key) -> JSONTextPlace { JSONTextPlace(key, in: place) }
}

/// The key under which a class decodes its superclass.
package struct JSONSuperKey: CodingKey {
    package var stringValue: String { "super" }
    package var intValue: Int? { nil }

    package init() {}
    package init?(stringValue: String) { nil }
    package init?(intValue: Int) { nil }
}
