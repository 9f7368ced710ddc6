/// A value that is read from JSON without a decoder.
package protocol JSONReadable {
    /// Creates the value from the bytes of one JSON value whose syntax has been checked. Returns nil if it is not a value of the
    /// type.
    init?(json: ArraySlice<UInt8>)
}

extension Bool: JSONReadable {
    package init?(json: ArraySlice<UInt8>) {
        if json.elementsEqual("true".utf8) {
            self = true
        } else if json.elementsEqual("false".utf8) {
            self = false
        } else {
            return nil
        }
    }
}

extension String: JSONReadable {
    package init?(json: ArraySlice<UInt8>) {
        guard json.first == UInt8(ascii: "\""), json.count >= 2 else { return nil }
        let content = json.dropFirst().dropLast()
        if content.contains(UInt8(ascii: "\\")) {
            guard let text = JSONValue(bytes: Array(json), range: 0..<json.count).string else { return nil }
            self = text
        } else {
            self.init(decoding: content, as: UTF8.self)
        }
    }
}

extension FixedWidthInteger where Self: JSONReadable {
    /// Creates a number from digits with an optional sign. `1e3` and `1.0` are whole numbers, too.
    package init?(json: ArraySlice<UInt8>) {
        var value: Self = 0
        let isNegative = json.first == UInt8(ascii: "-")
        for byte in isNegative ? json.dropFirst() : json {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                guard let exact = Self(exactJSON: json) else { return nil }
                self = exact
                return
            }
            let digit = Self(truncatingIfNeeded: byte - UInt8(ascii: "0"))
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            value = sum
        }
        self = value
    }

    /// Creates a number with a fraction or an exponent, digit by digit.
    // Without a floating-point number, which would turn `1e-400` into 0 and `0.99999999999999999999` into 1.
    private init?(exactJSON json: ArraySlice<UInt8>) {
        let isNegative = json.first == UInt8(ascii: "-")
        var (value, zeros, fractionDigits) = (Self.zero, 0, 0)
        var isFraction = false
        var rest = isNegative ? json.dropFirst() : json
        while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
            rest.removeFirst()
            if byte == UInt8(ascii: ".") {
                isFraction = true
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            if isFraction { fractionDigits += 1 }
            guard byte != UInt8(ascii: "0") else {
                zeros += 1
                continue
            }
            let digit = Self(truncatingIfNeeded: byte - UInt8(ascii: "0"))
            guard let shifted = value.shifted(by: value == 0 ? 0 : zeros + 1) else { return nil }
            let (sum, overflow) =
                isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
            if overflow { return nil }
            (value, zeros) = (sum, 0)
        }
        guard let exponent = Self.exponent(rest) else { return nil }
        let shift = exponent - fractionDigits + zeros
        guard value != 0 else {
            self = 0
            return
        }
        guard shift >= 0, let shifted = value.shifted(by: shift) else { return nil }
        self = shifted
    }

    /// Returns the value with zeros appended; nil on overflow.
    private func shifted(by zeros: Int) -> Self? {
        var value = self
        for _ in 0..<zeros {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = tenfold
        }
        return value
    }

    /// Returns the exponent of a number, or 0 if none exists. An exponent larger than any number needs is clamped.
    private static func exponent(_ json: ArraySlice<UInt8>) -> Int? {
        guard !json.isEmpty else { return 0 }
        var rest = json.dropFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        var exponent = 0
        for byte in rest {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            exponent = Swift.min(exponent * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000_000)
        }
        return isNegative ? -exponent : exponent
    }
}

extension Int: JSONReadable {}
extension Int128: JSONReadable {}
extension UInt128: JSONReadable {}
extension Int8: JSONReadable {}
extension Int16: JSONReadable {}
extension Int32: JSONReadable {}
extension Int64: JSONReadable {}
extension UInt: JSONReadable {}
extension UInt8: JSONReadable {}
extension UInt16: JSONReadable {}
extension UInt32: JSONReadable {}
extension UInt64: JSONReadable {}

extension BinaryFloatingPoint where Self: JSONReadable & LosslessStringConvertible {
    /// Creates a number. Returns nil if it is out of range.
    package init?(json: ArraySlice<UInt8>) {
        guard let first = json.first,
            first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { return nil }
        guard let number = Self(String(decoding: json, as: UTF8.self)), number.isFinite else { return nil }
        self = number
    }
}

extension Double: JSONReadable {}
extension Float: JSONReadable {}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    package init?(json: ArraySlice<UInt8>) {
        if json.elementsEqual("null".utf8) {
            self = nil
        } else {
            guard let value = Wrapped(json: json) else { return nil }
            self = value
        }
    }
}
