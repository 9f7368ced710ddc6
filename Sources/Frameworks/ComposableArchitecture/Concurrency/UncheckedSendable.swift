import Locking

/// A value that can be passed between tasks although the compiler does not know that this is safe.
@dynamicMemberLookup
@propertyWrapper
public struct UncheckedSendable<Value>: Sendable {
    private var transfer: UnsafeTransfer<Value>

    /// Wraps a value. The caller promises that no two threads use it at the same time.
    public init(_ value: Value) {
        transfer = UnsafeTransfer(value)
    }

    /// The value.
    public var value: Value {
        get { transfer.value }
        set { transfer = UnsafeTransfer(newValue) }
    }

    /// Wraps the value of a property.
    public init(wrappedValue: Value) {
        self.init(wrappedValue)
    }

    /// The value.
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The wrapper itself.
    public var projectedValue: UncheckedSendable {
        get { self }
        set { self = newValue }
    }

    /// A member of the value.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member { value[keyPath: keyPath] }

    /// A member of the value.
    public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
        get { value[keyPath: keyPath] }
        set { value[keyPath: keyPath] = newValue }
    }
}

extension UncheckedSendable: Equatable where Value: Equatable {
    /// Returns whether both values are equal.
    public static func == (first: UncheckedSendable, second: UncheckedSendable) -> Bool { first.value == second.value }
}

extension UncheckedSendable: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension UncheckedSendable: Decodable where Value: Decodable {
    /// Decodes the value.
    public init(from decoder: any Decoder) throws {
        self.init(try Value(from: decoder))
    }
}

extension UncheckedSendable: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}

extension UncheckedSendable: AsyncSequence where Value: AsyncSequence {
    /// An element of the sequence.
    public typealias Element = Value.Element
    /// An iterator over the elements.
    public typealias AsyncIterator = Value.AsyncIterator

    /// Returns an iterator of the sequence.
    public func makeAsyncIterator() -> Value.AsyncIterator { value.makeAsyncIterator() }
}
