import Glibc

/// A UTC calendar time with millisecond resolution.
public struct LogTime: Sendable, Equatable, CustomStringConvertible {
    private let milliseconds: Int64

    /// Creates a time from the milliseconds since the start of 1970 in UTC.
    public init(millisecondsSince1970: Int64) {
        milliseconds = millisecondsSince1970
    }

    /// The current time.
    public static var now: LogTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(millisecondsSince1970: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The time in the format of RFC 3339: `2026-11-21T12:39:10.042Z`.
    public var description: String {
        var seconds = time_t(milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date =
            "\(Self.digits(parts.tm_year + 1900, 4))-\(Self.digits(parts.tm_mon + 1))-\(Self.digits(parts.tm_mday))"
        let time = "\(Self.digits(parts.tm_hour)):\(Self.digits(parts.tm_min)):\(Self.digits(parts.tm_sec))"
        return "\(date)T\(time).\(Self.digits(Int32(milliseconds % 1_000), 3))Z"
    }

    private static func digits(_ number: Int32, _ count: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
