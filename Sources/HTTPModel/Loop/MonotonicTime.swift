/// A point in the time of a clock that never goes back. Only differences mean something.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since some fixed moment.
    public let nanoseconds: UInt64

    /// A point by its nanoseconds.
    @inlinable
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// Which of two points is the earlier one.
    @inlinable
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The point that much later (earlier for a negative duration, but not before the beginning).
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let offset = duration.wholeNanoseconds
        if offset >= 0 { return MonotonicTime(nanoseconds: time.nanoseconds &+ UInt64(offset)) }
        let back = UInt64(-offset)
        return MonotonicTime(nanoseconds: time.nanoseconds > back ? time.nanoseconds - back : 0)
    }

    /// How much later the left point is.
    public static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
        .nanoseconds(Int64(bitPattern: left.nanoseconds &- right.nanoseconds))
    }
}

extension Duration {
    /// The duration in whole nanoseconds, as far as 64 bits reach (292 years).
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }
}
