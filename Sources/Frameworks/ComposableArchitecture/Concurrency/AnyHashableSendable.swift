/// A hashable value of any type that can be passed between tasks.
public struct AnyHashableSendable: Hashable, Sendable {
    /// The value.
    public let base: any Hashable & Sendable

    /// Creates an erased value. One that is erased already stays the same.
    public init(_ base: some Hashable & Sendable) {
        self = base as? AnyHashableSendable ?? AnyHashableSendable(erasing: base)
    }

    /// Creates an erased value from one whose type is unknown. One that is erased already stays the same.
    @_disfavoredOverload
    public init(_ base: any Hashable & Sendable) {
        self = base as? AnyHashableSendable ?? AnyHashableSendable(erasing: base)
    }

    private init(erasing base: any Hashable & Sendable) {
        self.base = base
    }

    /// Returns whether both values are equal, as those of `AnyHashable`.
    public static func == (first: AnyHashableSendable, second: AnyHashableSendable) -> Bool {
        AnyHashable(first.base) == AnyHashable(second.base)
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        // As equal values of several types do, such as numbers.
        hasher.combine(AnyHashable(base))
    }
}

extension AnyHashableSendable: CustomStringConvertible {
    /// The description of the value.
    public var description: String { String(describing: base) }
}

extension AnyHashableSendable: CustomDebugStringConvertible {
    /// The type, and the description of the value for developers.
    public var debugDescription: String { "AnyHashableSendable(\(String(reflecting: base)))" }
}

extension AnyHashableSendable: CustomReflectable {
    /// The value as the only child.
    public var customMirror: Mirror { Mirror(self, children: ["value": base]) }
}

extension AnyHashableSendable: _HasCustomAnyHashableRepresentation {
    /// The value itself, so that an erased one is equal to it in an `AnyHashable`, such as the id of an effect.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(base) }
}

extension AnyHashableSendable: ExpressibleByBooleanLiteral {
    /// Erases a Boolean value.
    public init(booleanLiteral value: Bool) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByFloatLiteral {
    /// Erases a floating-point number.
    public init(floatLiteral value: Double) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByIntegerLiteral {
    /// Erases an integer.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByStringLiteral {
    /// Erases a string.
    public init(stringLiteral value: String) { self.init(value) }
}
