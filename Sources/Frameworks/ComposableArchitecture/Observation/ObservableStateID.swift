import Synchronization

/// The identity of observable state. Copies of a state share it until one of them is modified as the child of another state.
public struct ObservableStateID: Hashable, Sendable {
    private var number: UInt64

    private static let last = Atomic<UInt64>(0)

    /// Creates an identity that no other state has.
    public init() {
        number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
    }

    private init(number: UInt64) {
        self.number = number
    }

    /// The identity of values that never change on their own: nil, and cases without associated values.
    public static var _$inert: ObservableStateID { ObservableStateID(number: 0) }

    /// Returns the identity of an enum's value in the case with a number.
    public func _$tag(_ tag: Int) -> ObservableStateID {
        _$combined(with: ObservableStateID(number: UInt64(truncatingIfNeeded: tag) &+ 1))
    }

    /// Returns the identity of a collection that continues with an element.
    func _$combined(with element: ObservableStateID) -> ObservableStateID {
        // Odd multipliers and a shift, so that neither the order nor the number of the elements is lost.
        var mixed = (number &* 0x9E37_79B9_7F4A_7C15) ^ (element.number &+ 0x632B_E59B_D9B4_E019)
        mixed ^= mixed >> 29
        return ObservableStateID(number: mixed &* 0xBF58_476D_1CE4_E5B9)
    }

    /// Replaces the identity by a new one.
    mutating func renew() {
        self = ObservableStateID()
    }
}
