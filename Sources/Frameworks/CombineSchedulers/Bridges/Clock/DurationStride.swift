public import CombineCore

/// A `Duration` as a scheduler's time interval.
public struct DurationStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
{
    /// The duration. Negative for an interval into the past.
    public var duration: Duration

    /// Creates an interval from a duration.
    public init(_ duration: Duration) {
        self.duration = duration
    }

    /// Creates an interval of `value` seconds.
    public init(integerLiteral value: Int) {
        duration = .seconds(value)
    }

    /// Creates an interval of `value` seconds.
    public init(floatLiteral value: Double) {
        duration = .seconds(value)
    }

    /// Creates an interval of `source` seconds, or nil if `source` does not fit into 64 bits.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let count = Int64(exactly: source) else { return nil }
        duration = .seconds(count)
    }

    /// The absolute value of the interval.
    public var magnitude: DurationStride { duration < .zero ? DurationStride(.zero - duration) : self }

    /// Returns the sum.
    public static func + (lhs: DurationStride, rhs: DurationStride) -> DurationStride {
        DurationStride(lhs.duration + rhs.duration)
    }
    /// Returns the difference.
    public static func - (lhs: DurationStride, rhs: DurationStride) -> DurationStride {
        DurationStride(lhs.duration - rhs.duration)
    }
    /// Returns the product of the numbers of seconds.
    public static func * (lhs: DurationStride, rhs: DurationStride) -> DurationStride {
        DurationStride(lhs.duration * (rhs.duration / .seconds(1)))
    }
    /// Multiplies the numbers of seconds.
    public static func *= (lhs: inout DurationStride, rhs: DurationStride) { lhs = lhs * rhs }
    /// Returns whether `lhs` is shorter.
    public static func < (lhs: DurationStride, rhs: DurationStride) -> Bool { lhs.duration < rhs.duration }

    /// Returns an interval of `s` seconds.
    public static func seconds(_ s: Int) -> DurationStride { DurationStride(.seconds(s)) }
    /// Returns an interval of `s` seconds.
    public static func seconds(_ s: Double) -> DurationStride { DurationStride(.seconds(s)) }
    /// Returns an interval of `ms` milliseconds.
    public static func milliseconds(_ ms: Int) -> DurationStride { DurationStride(.milliseconds(ms)) }
    /// Returns an interval of `us` microseconds.
    public static func microseconds(_ us: Int) -> DurationStride { DurationStride(.microseconds(us)) }
    /// Returns an interval of `ns` nanoseconds.
    public static func nanoseconds(_ ns: Int) -> DurationStride { DurationStride(.nanoseconds(ns)) }
}
