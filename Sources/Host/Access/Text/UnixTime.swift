/// A Unix time in milliseconds, as tokens, cookies and tickets contain it.
public struct UnixTime: Hashable, Comparable, Sendable {
    /// The milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let milliseconds: Int64

    /// Creates a time from milliseconds.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Creates a time from seconds.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// The latest time, which is never reached.
    public static let never = UnixTime(milliseconds: .max)

    /// The Unix time in whole seconds, rounded down.
    public var seconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Returns whether the left time is earlier.
    public static func < (left: UnixTime, right: UnixTime) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the time after a duration, clamped to 64 bits.
    public static func + (time: UnixTime, duration: Duration) -> UnixTime {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        let (result, excess) = time.milliseconds.addingReportingOverflow(sum)
        guard overflow || carry || excess else { return UnixTime(milliseconds: result) }
        return UnixTime(milliseconds: duration < .zero ? .min : .max)
    }

    /// Returns the time before a duration, clamped to 64 bits.
    public static func - (time: UnixTime, duration: Duration) -> UnixTime { time + (.zero - duration) }

    /// Returns the duration from the right time to the left one, clamped to 64 bits of milliseconds.
    public static func - (left: UnixTime, right: UnixTime) -> Duration {
        let (difference, overflow) = left.milliseconds.subtractingReportingOverflow(right.milliseconds)
        return .milliseconds(overflow ? (left < right ? .min : .max) : difference)
    }
}
