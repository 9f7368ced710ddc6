package import FoundationEssentials

/// Dates as text (RFC 3339): `2026-01-31T12:00:00Z`, with milliseconds if there are any.
package enum RFC3339 {
    /// Returns the text of a date in UTC, rounded to milliseconds; nil for a date outside the years 0 to 9999.
    package static func text(of date: Date) -> String? {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds >= -62_167_219_200_000, milliseconds < 253_402_300_800_000 else { return nil }
        let (day, time) = Int64(milliseconds).quotientAndRemainder(flooringBy: 86_400_000)
        let civil = CivilDay(daysSince1970: day)
        let (seconds, fraction) = time.quotientAndRemainder(dividingBy: 1000)
        var text = "\(digits(civil.year, 4))-\(digits(civil.month, 2))-\(digits(civil.day, 2))T"
        text += "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
        if fraction > 0 { text += ".\(digits(fraction, 3))" }
        return text + "Z"
    }

    /// Parses a date and time; nil if the text is not valid RFC 3339. A fraction may have any number of digits, an
    /// offset may be `Z` or `±hh:mm`, and a leap second is the following second.
    package static func date(from text: String) -> Date? {
        var reader = Reader(rest: Substring(text).utf8)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T", or: "t", or: " "), let hour = reader.number(2),
            reader.take(":"), let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            hour < 24, minute < 60, second <= 60, let fraction = reader.fraction(), let offset = reader.offset(),
            reader.rest.isEmpty
        else { return nil }
        let civil = CivilDay(year: year, month: month, day: day)
        guard let days = civil.daysSince1970 else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        assert(number >= 0 && text.count <= count, "expected at most \(count) digits, got \(number)")
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private struct Reader {
        var rest: Substring.UTF8View

        mutating func number(_ count: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        mutating func take(_ characters: Unicode.Scalar...) -> Bool {
            guard let byte = rest.first, characters.contains(Unicode.Scalar(byte)) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func take(_ one: Unicode.Scalar, or two: Unicode.Scalar, or three: Unicode.Scalar) -> Bool {
            take(one) || take(two) || take(three)
        }

        /// Parses an optional fraction: zero if it is missing, nil if there is a point without a digit.
        mutating func fraction() -> Double? {
            guard take(".") else { return 0 }
            guard var value = digit().map({ Double($0) / 10 }) else { return nil }
            var place = 0.01
            while let digit = digit() {
                value += Double(digit) * place
                place /= 10
            }
            return value
        }

        /// Parses an offset, in seconds east of UTC.
        mutating func offset() -> Int64? {
            if take("Z", "z") { return 0 }
            let isEast = take("+")
            guard isEast || take("-"), let hours = number(2), take(":"), let minutes = number(2), hours < 24,
                minutes < 60
            else { return nil }
            return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
        }

        private mutating func digit() -> Int64? {
            guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            rest.removeFirst()
            return Int64(byte - UInt8(ascii: "0"))
        }
    }
}
