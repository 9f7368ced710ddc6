/// A point in time of a clock that never goes backwards. Only differences are meaningful.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// The number of nanoseconds since an arbitrary moment.
    public let nanoseconds: UInt64

    /// Creates a point in time from its nanoseconds.
    @inlinable
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// Returns whether the left point is earlier.
    @inlinable
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the earlier one of two points in time, of which either may be missing.
    @inlinable
    package static func earliest(_ one: MonotonicTime?, _ other: MonotonicTime?) -> MonotonicTime? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Returns the point in time after a duration. A negative duration results in an earlier point, but not before
    /// zero.
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let offset = duration.wholeNanoseconds
        if offset >= 0 { return MonotonicTime(nanoseconds: time.nanoseconds &+ UInt64(offset)) }
        let back = offset.magnitude
        return MonotonicTime(nanoseconds: time.nanoseconds > back ? time.nanoseconds - back : 0)
    }

    /// Returns the duration from the right point to the left one.
    public static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
        .nanoseconds(Int64(bitPattern: left.nanoseconds &- right.nanoseconds))
    }
}

extension Duration {
    /// The duration in whole nanoseconds, clamped to 64 bits (292 years).
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }

    /// The duration in whole milliseconds, rounded toward zero. Clamped as ``wholeNanoseconds`` is.
    public var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }
}
