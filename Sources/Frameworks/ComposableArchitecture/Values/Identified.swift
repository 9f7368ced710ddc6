/// A value paired with an id, for values without one.
@dynamicMemberLookup
public struct Identified<ID: Hashable, Value>: Identifiable {
    /// The id of the value.
    public let id: ID
    /// The value.
    public var value: Value

    /// Creates a pair of a value and an id.
    public init(_ value: Value, id: ID) {
        self.id = id
        self.value = value
    }

    /// Creates a pair of a value and the id that a closure returns for it.
    public init(_ value: Value, id: (Value) -> ID) {
        self.init(value, id: id(value))
    }

    /// Creates a pair of a value and the id at a key path.
    public init(_ value: Value, id: KeyPath<Value, ID>) {
        self.init(value, id: value[keyPath: id])
    }

    /// A read-only property of the value.
    public subscript<LocalValue>(dynamicMember keyPath: KeyPath<Value, LocalValue>) -> LocalValue {
        value[keyPath: keyPath]
    }

    /// A property of the value.
    public subscript<LocalValue>(dynamicMember keyPath: WritableKeyPath<Value, LocalValue>) -> LocalValue {
        get { value[keyPath: keyPath] }
        set { value[keyPath: keyPath] = newValue }
    }
}

extension Identified: Equatable where Value: Equatable {}
extension Identified: Hashable where Value: Hashable {}
extension Identified: Decodable where ID: Decodable, Value: Decodable {}
extension Identified: Encodable where ID: Encodable, Value: Encodable {}
extension Identified: Sendable where ID: Sendable, Value: Sendable {}
