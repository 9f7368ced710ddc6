extension Subscribers {
    /// The number of values that a subscriber is ready to receive: 0, 1, 2, …, or unlimited.
    ///
    /// Arithmetic stays in that range. It saturates at ``unlimited``, which no subtraction reduces. A negative number
    /// and a subtraction below zero trap.
    @frozen
    public struct Demand: Equatable, Comparable, Hashable, Codable, CustomStringConvertible, Sendable {
        // Unlimited is one more than `Int.max` rather than a separate flag, so that a demand is one word and
        // comparisons are integer comparisons.
        @usableFromInline let rawValue: UInt

        @inlinable
        init(rawValue: UInt) {
            self.rawValue = min(Demand.limit, rawValue)
        }

        @inlinable static var limit: UInt { UInt(Int.max) + 1 }

        /// A demand without a limit.
        @inlinable public static var unlimited: Demand { Demand(rawValue: limit) }

        /// A demand for no values.
        @inlinable public static var none: Demand { Demand(rawValue: 0) }

        /// Returns a demand for `value` values. A negative number is a programming error and traps.
        @inlinable
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "A demand must not be negative, got \(value).")
            return Demand(rawValue: UInt(value))
        }

        /// The number of values, or nil if there is no limit.
        @inlinable public var max: Int? {
            self == .unlimited ? nil : Int(rawValue)
        }

        /// The text `unlimited` or `max(n)`.
        public var description: String {
            self == .unlimited ? "unlimited" : "max(\(rawValue))"
        }

        /// Creates a demand from the number that ``encode(to:)`` writes.
        public init(from decoder: any Decoder) throws {
            self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
        }

        /// Encodes the demand as a number. The number above `Int.max` represents ``unlimited``.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }
}
