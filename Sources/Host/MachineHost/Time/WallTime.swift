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

    /// Creates a time from seconds of Unix time, and the nanoseconds since that second.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The time in nanoseconds of Unix time.
    var sinceBeginning: Int64 { seconds &* 1_000_000_000 &+ Int64(nanoseconds) }

    /// Returns the current time of the system's clock.
    public static func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(seconds: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
    }

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
        let start = bytes.count
        bytes.append(contentsOf: "0000-00-00T00:00:00Z".utf8)
        bytes.withUnsafeMutableBufferPointer { all in
            let text = UnsafeMutableBufferPointer(rebasing: all[start...])
            WallTime.write(date.year / 100, at: 0, of: text)
            WallTime.write(date.year % 100, at: 2, of: text)
            WallTime.write(date.month, at: 5, of: text)
            WallTime.write(date.day, at: 8, of: text)
            WallTime.write(time / 3600, at: 11, of: text)
            WallTime.write(time / 60 % 60, at: 14, of: text)
            WallTime.write(time % 60, at: 17, of: text)
        }
    }

    /// Writes a number below 100 as two digits.
    @inline(__always)
    private static func write(_ number: Int64, at place: Int, of text: UnsafeMutableBufferPointer<UInt8>) {
        assert((0..<100).contains(number), "expected a number below 100, got \(number)")
        let number = UInt8(truncatingIfNeeded: number)
        text[place] = UInt8(ascii: "0") &+ number / 10
        text[place &+ 1] = UInt8(ascii: "0") &+ number % 10
    }
}
