public import CombineCore

/// A `Duration` that can be written in the units of schedulers.
public struct DurationStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
{
    /// The interval; negative for one back in time.
    public var duration: Duration

    /// Takes over a duration.
    public init(_ duration: Duration) {
        self.duration = duration
    }

    /// Makes an interval of `value` seconds.
    public init(integerLiteral value: Int) {
        duration = .seconds(value)
    }

    /// Makes an interval of `value` seconds.
    public init(floatLiteral value: Double) {
        duration = .seconds(value)
    }

    /// Makes an interval of `source` seconds, if that many can be counted.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let count = Int64(exactly: source) else { return nil }
        duration = .seconds(count)
    }

    /// The interval without its sign.
    public var magnitude: DurationStride { duration < .zero ? DurationStride(.zero - duration) : self }

    /// The sum.
    public static func + (lhs: DurationStride, rhs: DurationStride) -> DurationStride {
        DurationStride(lhs.duration + rhs.duration)
    }
    /// The difference.
    public static func - (lhs: DurationStride, rhs: DurationStride) -> DurationStride {
        DurationStride(lhs.duration - rhs.duration)
    }
    /// The product of the numbers of seconds.
    public static func * (lhs: DurationStride, rhs: DurationStride) -> DurationStride {
        DurationStride(lhs.duration * (rhs.duration / .seconds(1)))
    }
    /// Multiplies the numbers of seconds.
    public static func *= (lhs: inout DurationStride, rhs: DurationStride) { lhs = lhs * rhs }
    /// Whether `lhs` is the shorter interval.
    public static func < (lhs: DurationStride, rhs: DurationStride) -> Bool { lhs.duration < rhs.duration }

    /// An interval of `s` seconds.
    public static func seconds(_ s: Int) -> DurationStride { DurationStride(.seconds(s)) }
    /// An interval of `s` seconds.
    public static func seconds(_ s: Double) -> DurationStride { DurationStride(.seconds(s)) }
    /// An interval of `ms` milliseconds.
    public static func milliseconds(_ ms: Int) -> DurationStride { DurationStride(.milliseconds(ms)) }
    /// An interval of `us` microseconds.
    public static func microseconds(_ us: Int) -> DurationStride { DurationStride(.microseconds(us)) }
    /// An interval of `ns` nanoseconds.
    public static func nanoseconds(_ ns: Int) -> DurationStride { DurationStride(.nanoseconds(ns)) }
}
