public import Foundation

extension OperationQueue {
    /// A time on the clock of operation queues, which is the wall clock.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The corresponding date of Foundation.
        public var date: Date

        /// Creates a time from a date of Foundation.
        public init(_ date: Date) {
            self.date = date
        }

        /// Returns the interval from this time to `other`.
        public func distance(to other: SchedulerTimeType) -> Stride {
            Stride(other.date.timeIntervalSince(date))
        }

        /// Returns the time that is `value` later.
        public func advanced(by value: Stride) -> SchedulerTimeType {
            SchedulerTimeType(date.addingTimeInterval(value.timeInterval))
        }

        /// The interval between two times, in seconds.
        public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
            Hashable, Codable, Sendable
        {
            /// A literal is a number of seconds.
            public typealias FloatLiteralType = TimeInterval
            /// A literal is a number of seconds.
            public typealias IntegerLiteralType = TimeInterval
            /// The type of the number of seconds.
            public typealias Magnitude = TimeInterval

            // With its sign, unlike the magnitude that `Numeric` describes, because Apple's interval keeps it.
            /// The number of seconds; negative for an interval into the past.
            public var magnitude: TimeInterval

            /// The corresponding interval of Foundation.
            public var timeInterval: TimeInterval { magnitude }

            /// Creates an interval of `value` seconds.
            public init(integerLiteral value: TimeInterval) {
                magnitude = value
            }

            /// Creates an interval of `value` seconds.
            public init(floatLiteral value: TimeInterval) {
                magnitude = value
            }

            /// Creates an interval from an interval of Foundation.
            public init(_ timeInterval: TimeInterval) {
                magnitude = timeInterval
            }

            /// Creates an interval of `source` seconds, or returns nil if a `Double` cannot represent that number exactly.
            public init?<T: BinaryInteger>(exactly source: T) {
                guard let count = TimeInterval(exactly: source) else { return nil }
                magnitude = count
            }

            /// Returns the sum.
            public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }
            /// Returns the difference.
            public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }
            /// Returns the product of the numbers of seconds.
            public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }
            /// Adds `rhs`.
            public static func += (lhs: inout Stride, rhs: Stride) { lhs.magnitude += rhs.magnitude }
            /// Subtracts `rhs`.
            public static func -= (lhs: inout Stride, rhs: Stride) { lhs.magnitude -= rhs.magnitude }
            /// Multiplies the numbers of seconds.
            public static func *= (lhs: inout Stride, rhs: Stride) { lhs.magnitude *= rhs.magnitude }
            /// Returns whether `lhs` is the shorter interval.
            public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

            /// Returns an interval of `s` seconds.
            public static func seconds(_ s: Int) -> Stride { Stride(TimeInterval(s)) }
            /// Returns an interval of `s` seconds.
            public static func seconds(_ s: Double) -> Stride { Stride(s) }
            /// Returns an interval of `ms` milliseconds.
            public static func milliseconds(_ ms: Int) -> Stride { Stride(TimeInterval(ms) / 1_000) }
            /// Returns an interval of `us` microseconds.
            public static func microseconds(_ us: Int) -> Stride { Stride(TimeInterval(us) / 1_000_000) }
            /// Returns an interval of `ns` nanoseconds.
            public static func nanoseconds(_ ns: Int) -> Stride { Stride(TimeInterval(ns) / 1_000_000_000) }
        }
    }
}
