#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A moment that people read: seconds since 1970 in UTC. Never used to measure how long something took.
public struct WallTime: Equatable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var seconds: Int64

    /// A moment by its seconds since 1970.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// What the system's clock says.
    public static func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(seconds: Int64(time.tv_sec))
    }

    /// Appends the moment as RFC 3339 has it: `2026-01-31T12:00:00Z`. Years are 0 to 9999; a moment outside is written as
    /// the nearest one inside.
    func append(to bytes: inout [UInt8]) {
        let bounded = min(max(seconds, -62_167_219_200), 253_402_300_799)
        let time = ((bounded % 86_400) + 86_400) % 86_400
        let (year, month, day) = WallTime.date(ofDay: (bounded - time) / 86_400)
        WallTime.append(year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        WallTime.append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        WallTime.append(day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        WallTime.append(time / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        WallTime.append(time / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        WallTime.append(time % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// The date of the Gregorian calendar that many days after 1970-01-01. Years are taken to begin in March, so that the
    /// leap day is the last one of its year, and 400 of them always have 146,097 days.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
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
