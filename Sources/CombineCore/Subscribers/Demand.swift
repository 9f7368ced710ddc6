extension Subscribers {
    /// A number of values that a subscriber is ready to take: 0, 1, 2, … or without limit.
    ///
    /// Arithmetic never leaves that range: it saturates at ``unlimited``, and nothing but a bounded demand can be made
    /// smaller. A subtraction below zero and a negative number trap.
    @frozen
    public struct Demand: Equatable, Comparable, Hashable, Codable, CustomStringConvertible, Sendable {
        @usableFromInline let rawValue: UInt

        @inlinable
        init(rawValue: UInt) {
            self.rawValue = min(Demand.limit, rawValue)
        }

        @inlinable static var limit: UInt { UInt(Int.max) + 1 }

        /// As many values as there are.
        @inlinable public static var unlimited: Demand { Demand(rawValue: limit) }

        /// No value.
        @inlinable public static var none: Demand { Demand(rawValue: 0) }

        /// `value` values; a negative number is a programmer's error and traps.
        @inlinable
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "A demand cannot be negative, but is \(value).")
            return Demand(rawValue: UInt(value))
        }

        /// The number, or nil when there is no limit.
        @inlinable public var max: Int? {
            self == .unlimited ? nil : Int(rawValue)
        }

        /// `unlimited`, or `max(n)`.
        public var description: String {
            self == .unlimited ? "unlimited" : "max(\(rawValue))"
        }

        /// Reads the number that ``encode(to:)`` writes.
        public init(from decoder: any Decoder) throws {
            self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
        }

        /// Writes a number; the one above `Int.max` stands for ``unlimited``.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }
}
