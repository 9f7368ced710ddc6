/// The value of `Date` (RFC 9110 §5.6.7), formatted only when the second changes.
public struct HTTP1Date: Sendable {
    private var second: Int64 = .min
    private var line: [UInt8] = []

    /// Creates an empty cache.
    public init() {}

    /// Returns the field line, including its line end, for a Unix time in seconds.
    public mutating func fieldLine(at second: Int64) -> [UInt8] {
        if second != self.second {
            self.second = second
            line = Array("date: \(HTTP1Date.text(at: second))\r\n".utf8)
        }
        return line
    }

    /// Returns a date in the format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static func text(at second: Int64) -> String {
        let days = Int(second / 86400)
        let time = Int(second % 86400)
        let (year, month, day) = civil(days: days)
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days % 7]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(weekday), \(two(day)) \(months[month - 1]) \(year) "
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    /// Returns the proleptic Gregorian date of a day since 1970. Years are counted from March, so that the leap day is
    /// the last day of its year.
    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
