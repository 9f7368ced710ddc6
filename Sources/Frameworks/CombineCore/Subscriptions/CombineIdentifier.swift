import Synchronization

/// An identity that distinguishes the participants of a stream.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    private let rawValue: UInt64

    /// Creates an identifier that no other value of this process has had.
    public init() {
        // Counts in odd numbers, because the address of an object is even: the two kinds of identifiers cannot collide.
        rawValue = counter.wrappingAdd(2, ordering: .relaxed).newValue
    }

    /// Creates the identifier of `object`, which is unique while the object is alive.
    public init(_ object: AnyObject) {
        rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
    }

    /// The identifier as a hexadecimal number.
    public var description: String {
        "0x" + String(rawValue, radix: 16)
    }
}

private let counter = Atomic<UInt64>(1)
