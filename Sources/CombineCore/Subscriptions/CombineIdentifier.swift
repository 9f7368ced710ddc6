import Synchronization

/// Tells the participants of a stream apart.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    private let rawValue: UInt64

    /// Makes an identifier that was not there before in this process.
    public init() {
        // Odd numbers, so that none is the address of an object.
        rawValue = counter.wrappingAdd(2, ordering: .relaxed).newValue
    }

    /// Takes over the identity of `object`, for as long as the object lives.
    public init(_ object: AnyObject) {
        rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
    }

    /// The identifier as a hexadecimal number.
    public var description: String {
        "0x" + String(rawValue, radix: 16)
    }
}

private let counter = Atomic<UInt64>(1)
