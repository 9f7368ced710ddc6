/// The encoder of a value that is open in a stream.
struct JSONStreamEncoder: Encoder {
    let stream: JSONStream
    let level: Int
    let id: Int
    var codingPath: [any CodingKey] { stream.path(to: level) }
    var userInfo: [CodingUserInfoKey: Any] { stream.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        stream.becomeObject(level, id)
        return KeyedEncodingContainer(JSONStreamMembers(stream: stream, level: level, id: id))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        stream.becomeList(level, id)
        return JSONStreamElements(stream: stream, level: level, id: id)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        stream.becomeSingle(level, id)
        return JSONStreamSingle(stream: stream, level: level, id: id)
    }
}

private struct JSONStreamMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let stream: JSONStream
    let level: Int
    let id: Int
    var codingPath: [any CodingKey] { stream.path(to: level) }

    mutating func encodeNil(forKey key: Key) throws {
        if begin(key) { try stream.appendNull() }
    }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        if begin(key) { try stream.append(value, at: key) }
    }

    // The types of most members. These methods avoid the lookup of the kind of the type.
    mutating func encode(_ value: Bool, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: String, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Int, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Double, forKey key: Key) throws { try scalar(value, key) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        inner(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        inner(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { stream.fallBackToTree() }

    mutating func superEncoder(forKey key: Key) -> any Encoder { stream.fallBackToTree() }

    private func begin(_ key: Key) -> Bool { stream.beginMember(level, id, key.stringValue) }

    private func scalar(_ value: some JSONWritable, _ key: Key) throws {
        if begin(key) { try stream.appendScalar(value) }
    }

    private func inner(_ key: Key) -> any Encoder {
        guard begin(key) else { return stream.fallBackToTree() }
        let level = stream.open(at: key)
        return JSONStreamEncoder(stream: stream, level: level, id: stream.id(of: level))
    }
}

private struct JSONStreamElements: UnkeyedEncodingContainer {
    let stream: JSONStream
    let level: Int
    let id: Int
    var codingPath: [any CodingKey] { stream.path(to: level) }
    var count: Int { stream.count(level, id) }

    mutating func encodeNil() throws {
        if begin() { try stream.appendNull() }
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        if begin() { try stream.append(value, at: nil) }
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        inner().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { inner().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { stream.fallBackToTree() }

    private func begin() -> Bool { stream.beginElement(level, id) }

    private func inner() -> any Encoder {
        guard begin() else { return stream.fallBackToTree() }
        let level = stream.open(at: nil)
        return JSONStreamEncoder(stream: stream, level: level, id: stream.id(of: level))
    }
}

private struct JSONStreamSingle: SingleValueEncodingContainer {
    let stream: JSONStream
    let level: Int
    let id: Int
    var codingPath: [any CodingKey] { stream.path(to: level) }

    mutating func encodeNil() throws {
        if stream.beginElement(level, id) { try stream.appendNull() }
    }

    mutating func encode(_ value: String) throws {
        if stream.beginElement(level, id) { try stream.appendScalar(value) }
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        if stream.beginElement(level, id) { try stream.append(value, at: nil) }
    }
}
