import JSONText
import MachineAdapters
import MachineHost

/// Splits a state into its members by letting it encode itself: one piece of JSON per member.
final class StateMembers {
    /// A member that the state encoded the first time.
    struct Member {
        let name: String
        let schema: JSONSchema
    }

    // A nil member is sent as `null` even if the type omits it, so that clients learn that it no longer has a value.
    private(set) var members: [Member] = []
    /// The JSON of each member, by index; empty for members that the type did not encode this time.
    private(set) var texts: [[UInt8]] = []
    /// Whether the state encoded itself as one value instead of members.
    private(set) var isWhole = false
    private var places: [String: Int] = [:]
    /// The members to encode, by index; empty for all.
    private var isWanted: [Bool] = []

    /// Creates members that are found when a state is encoded for the first time.
    init() {}

    /// Creates members that were found before. Others are ignored.
    init(_ names: [String]) {
        for (place, name) in names.enumerated() { places[name] = place }
        texts = Array(repeating: [], count: names.count)
    }

    /// Encodes a state. Members that the type did not encode the first time are ignored, unless `isFirst`.
    ///
    /// - Parameter wanted: Which members are encoded, by index; empty for all. The texts of the others are kept.
    func encode<State: Encodable>(_ state: State, isFirst: Bool = false, wanted: [Bool] = []) throws {
        isWanted = wanted
        for place in texts.indices where wanted.isEmpty || wanted[place] {
            texts[place].removeAll(keepingCapacity: true)
        }
        isLearning = isFirst
        try state.encode(to: StateEncoder(members: self))
    }

    private var isLearning = false
    /// The maximum number of bytes of a member.
    var byteLimit = Int32.max

    fileprivate func becomeWhole() {
        isWhole = true
    }

    fileprivate func set<Value: Encodable>(_ name: String, to value: Value, schema: @autoclosure () -> JSONSchema)
        throws
    {
        guard let place = place(of: name, schema) else { return }
        texts[place].removeAll(keepingCapacity: true)
        if let value = value as? any JSONWritable {
            guard value.minimumByteCount <= byteLimit else { throw OutputTooLarge(limit: Int(byteLimit)) }
            try value.append(to: &texts[place])
        } else {
            try OutputTooLarge.check { try JSONTree.append(value, to: &texts[place], limit: Int(byteLimit)) }
        }
    }

    /// Releases a text that has been copied.
    func release(_ place: Int) {
        texts[place] = []
    }

    fileprivate func setNull(_ name: String, schema: @autoclosure () -> JSONSchema) {
        guard let place = place(of: name, schema) else { return }
        texts[place] = Array("null".utf8)
    }

    private func place(of name: String, _ schema: () -> JSONSchema) -> Int? {
        if let place = places[name] { return isWanted.isEmpty || isWanted[place] ? place : nil }
        guard isLearning else { return nil }
        places[name] = members.count
        members.append(Member(name: name, schema: schema()))
        texts.append([])
        return members.count - 1
    }
}

/// Passes the members of a state to ``StateMembers``, one by one.
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

    // An encoder whose result is discarded, for a state that does not consist of members.
    private var aside: any Encoder { JSONTree.discardingEncoder }
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

    private var aside: any Encoder { JSONTree.discardingEncoder }
}
