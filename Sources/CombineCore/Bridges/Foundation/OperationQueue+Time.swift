public import Foundation

extension OperationQueue {
    /// A moment on the clock of operation queues, which is the wall clock.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The moment, as Foundation has it.
        public var date: Date

        /// Takes over a moment of Foundation's.
        public init(_ date: Date) {
            self.date = date
        }

        /// How much later `other` is.
        public func distance(to other: SchedulerTimeType) -> Stride {
            Stride(other.date.timeIntervalSince(date))
        }

        /// The moment that is `value` later.
        public func advanced(by value: Stride) -> SchedulerTimeType {
            SchedulerTimeType(date.addingTimeInterval(value.timeInterval))
        }
    }
}

extension OperationQueue.SchedulerTimeType {
    /// How far apart two moments are, in seconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
        Hashable, Codable, Sendable
    {
        /// A literal is a number of seconds.
        public typealias FloatLiteralType = TimeInterval
        /// A literal is a number of seconds.
        public typealias IntegerLiteralType = TimeInterval
        /// An interval's magnitude is the number of seconds itself, with its sign.
        public typealias Magnitude = TimeInterval

        /// The number of seconds; negative for an interval back in time.
        public var magnitude: TimeInterval

        /// The interval, as Foundation has it.
        public var timeInterval: TimeInterval { magnitude }

        /// Makes an interval of `value` seconds.
        public init(integerLiteral value: TimeInterval) {
            magnitude = value
        }

        /// Makes an interval of `value` seconds.
        public init(floatLiteral value: TimeInterval) {
            magnitude = value
        }

        /// Takes over an interval of Foundation's.
        public init(_ timeInterval: TimeInterval) {
            magnitude = timeInterval
        }

        /// Makes an interval of `source` seconds, if a `Double` can hold that number exactly.
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let count = TimeInterval(exactly: source) else { return nil }
            magnitude = count
        }

        /// The sum.
        public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }
        /// The difference.
        public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }
        /// The product of the numbers of seconds.
        public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }
        /// Adds `rhs`.
        public static func += (lhs: inout Stride, rhs: Stride) { lhs.magnitude += rhs.magnitude }
        /// Subtracts `rhs`.
        public static func -= (lhs: inout Stride, rhs: Stride) { lhs.magnitude -= rhs.magnitude }
        /// Multiplies the numbers of seconds.
        public static func *= (lhs: inout Stride, rhs: Stride) { lhs.magnitude *= rhs.magnitude }
        /// Whether `lhs` is the shorter interval.
        public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

        /// An interval of `s` seconds.
        public static func seconds(_ s: Int) -> Stride { Stride(TimeInterval(s)) }
        /// An interval of `s` seconds.
        public static func seconds(_ s: Double) -> Stride { Stride(s) }
        /// An interval of `ms` milliseconds.
        public static func milliseconds(_ ms: Int) -> Stride { Stride(TimeInterval(ms) / 1_000) }
        /// An interval of `us` microseconds.
        public static func microseconds(_ us: Int) -> Stride { Stride(TimeInterval(us) / 1_000_000) }
        /// An interval of `ns` nanoseconds.
        public static func nanoseconds(_ ns: Int) -> Stride { Stride(TimeInterval(ns) / 1_000_000_000) }
    }
}
