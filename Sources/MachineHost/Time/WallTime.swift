#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A wall-clock time, in UTC: for display, and for what must keep its meaning in another process. Never used to measure
/// durations in one process.
public struct WallTime: Equatable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var seconds: Int64
    /// The nanoseconds since that second; not displayed.
    public var nanoseconds: Int32

    /// Creates a time from seconds since 1970, and the nanoseconds since that second.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The nanoseconds since 1970.
    var sinceBeginning: Int64 { seconds &* 1_000_000_000 &+ Int64(nanoseconds) }

    /// Returns the current time of the system's clock.
    public static func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(seconds: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
    }

    /// Returns the time after a duration.
    package static func + (time: WallTime, duration: Duration) -> WallTime {
        let (seconds, attoseconds) = duration.components
        let (carried, nanoseconds) = (Int64(time.nanoseconds) + attoseconds / 1_000_000_000)
            .quotientAndRemainder(flooringBy: 1_000_000_000)
        return WallTime(seconds: time.seconds + seconds + carried, nanoseconds: Int32(nanoseconds))
    }

    /// The time as RFC 3339 text.
    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the time as RFC 3339 text: `2026-01-31T12:00:00Z`. Times outside the years 0 to 9999 are written as the
    /// nearest time in that range.
    package func append(to bytes: inout [UInt8]) {
        let bounded = min(max(seconds, -62_167_219_200), 253_402_300_799)
        let (days, time) = bounded.quotientAndRemainder(flooringBy: 86_400)
        let date = CivilDay(daysSince1970: days)
        WallTime.append(date.year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        WallTime.append(date.month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        WallTime.append(date.day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        WallTime.append(time / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        WallTime.append(time / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        WallTime.append(time % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
