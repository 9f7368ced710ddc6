/// A day of the Gregorian calendar.
struct CivilDay: Equatable {
    // Days are counted in eras of 400 years, which all have 146,097 days, and in years that start in March, so that the
    // leap day is the last day of its year.
    var year: Int64
    var month: Int64
    var day: Int64

    init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSince1970: Int64) {
        let (era, dayOfEra) = (daysSince1970 + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        assert((1...12).contains(month) && (1...31).contains(day), "expected a day of a year, got \(month)-\(day)")
    }

    /// The number of days since 1970-01-01; nil if the day does not exist.
    var daysSince1970: Int64? {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let yearFromMarch = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = yearFromMarch.quotientAndRemainder(flooringBy: 400)
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        // A day such as February 30 maps to another day when converted back.
        return CivilDay(daysSince1970: days) == self ? days : nil
    }
}

extension Int64 {
    /// Returns the quotient, rounded down, and the remainder, which is never negative.
    func quotientAndRemainder(flooringBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        assert(divisor > 0, "expected a positive divisor, got \(divisor)")
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
