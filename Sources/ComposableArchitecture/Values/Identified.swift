/// A value with an id beside it, for values that have none of their own.
@dynamicMemberLookup
public struct Identified<ID: Hashable, Value>: Identifiable {
    /// What the value is known by.
    public let id: ID
    /// The value.
    public var value: Value

    /// Puts an id beside a value.
    public init(_ value: Value, id: ID) {
        self.id = id
        self.value = value
    }

    /// Puts an id beside a value that a function makes of it.
    public init(_ value: Value, id: (Value) -> ID) {
        self.init(value, id: id(value))
    }

    /// Puts an id beside a value that one of its properties is.
    public init(_ value: Value, id: KeyPath<Value, ID>) {
        self.init(value, id: value[keyPath: id])
    }

    /// A property of the value that can only be read.
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
