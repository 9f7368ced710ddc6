import MachineHost

/// Takes a state apart as it encodes itself: one piece of JSON for each of its members.
///
/// A member that is nil is `null`, also where the type would leave it out.
final class StateMembers {
    /// A member as it was seen first.
    struct Member {
        let name: String
        let schema: JSONSchema
    }

    private(set) var members: [Member] = []
    /// The JSON of each member, by its place; empty where the type wrote nothing this time.
    private(set) var texts: [[UInt8]] = []
    /// Whether the type wrote itself as one value, which is none of members.
    private(set) var isWhole = false
    private var places: [String: Int] = [:]

    /// Encodes a state. What a type did not write the first time has no place and is passed over, unless `isFirst`.
    func encode<State: Encodable>(_ state: State, isFirst: Bool = false) throws {
        for place in texts.indices { texts[place].removeAll(keepingCapacity: true) }
        isLearning = isFirst
        try state.encode(to: StateEncoder(members: self))
    }

    private var isLearning = false
    /// The most bytes that a member may have.
    var byteLimit = Int32.max

    fileprivate func becomeWhole() {
        isWhole = true
    }

    fileprivate func set<Value: Encodable>(_ name: String, to value: Value, schema: @autoclosure () -> JSONSchema)
        throws
    {
        guard let place = place(of: name, schema) else { return }
        texts[place].removeAll(keepingCapacity: true)
        if let value = value as? any DirectlyWritten {
            guard value.leastByteCount <= byteLimit else { throw OutputTooLarge(limit: Int(byteLimit)) }
            try value.append(to: &texts[place])
        } else {
            try JSONTree.append(value, to: &texts[place], limit: Int(byteLimit))
        }
    }

    /// Frees a text that has been copied.
    func release(_ place: Int) {
        texts[place] = []
    }

    fileprivate func setNull(_ name: String, schema: @autoclosure () -> JSONSchema) {
        guard let place = place(of: name, schema) else { return }
        texts[place] = Array("null".utf8)
    }

    /// Where the text of a member is.
    func place(of name: String) -> Int? { places[name] }

    private func place(of name: String, _ schema: () -> JSONSchema) -> Int? {
        if let place = places[name] { return place }
        guard isLearning else { return nil }
        places[name] = members.count
        members.append(Member(name: name, schema: schema()))
        texts.append([])
        return members.count - 1
    }
}

/// Hands the members of a state over, one by one.
private struct StateEncoder: Encoder {
    let members: StateMembers
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(StateContainer(members: members))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        members.becomeWhole()
        return aside.unkeyedContainer()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        members.becomeWhole()
        return aside.singleValueContainer()
    }

    /// Takes what nobody reads.
    private var aside: JSONTreeEncoder {
        JSONTreeEncoder(tree: JSONTree(), node: JSONNode(), codingPath: [])
    }
}

private struct StateContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let members: StateMembers
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) { members.setNull(key.stringValue, schema: .any) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try members.set(key.stringValue, to: value, schema: .of(encodable: T.self))
    }

    mutating func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        guard let value else { return members.setNull(key.stringValue, schema: .of(encodable: T.self).orNull) }
        try members.set(key.stringValue, to: value, schema: .of(encodable: T.self).orNull)
    }

    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeAny(value, key) }
    mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeAny(value, key) }

    private func encodeAny<T: Encodable>(_ value: T?, _ key: Key) throws {
        try members.set(key.stringValue, to: value, schema: .of(encodable: T.self).orNull)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        members.becomeWhole()
        return aside.container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        members.becomeWhole()
        return aside.unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        members.becomeWhole()
        return aside
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        members.becomeWhole()
        return aside
    }

    private var aside: JSONTreeEncoder {
        JSONTreeEncoder(tree: JSONTree(), node: JSONNode(), codingPath: [])
    }
}
