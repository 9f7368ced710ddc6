/// Reads decimal numbers without an intermediate `String`.
enum Decimal {
    /// Returns the value of decimal digits; nil for other text, a leading zero, and numbers beyond 64 bits.
    static func value(of digits: some Collection<UInt8>) -> UInt64? {
        guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }
}
