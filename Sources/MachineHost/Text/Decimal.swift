/// Reads and writes decimal numbers without an intermediate `String`.
enum Decimal {
    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        if number < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
            return
        }
        var count = 1
        var bound: UInt64 = 10
        while count < 20, number >= bound {
            count += 1
            bound &*= 10
        }
        var place = bytes.count + count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: count))
        var rest = number
        while rest > 0 {
            place -= 1
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

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

/// Writes bytes as hexadecimal digits.
enum Hexadecimal {
    static func text(of byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}
