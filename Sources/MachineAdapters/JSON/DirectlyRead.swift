import MachineHost

/// A value that is read from JSON without a decoder. The bytes are one JSON value whose syntax has been checked.
protocol DirectlyRead {
    /// The value; nil if the JSON is no such value, or none that can be read directly.
    init?(json: ArraySlice<UInt8>)
}

extension Bool: DirectlyRead {
    init?(json: ArraySlice<UInt8>) {
        if json.elementsEqual("true".utf8) {
            self = true
        } else if json.elementsEqual("false".utf8) {
            self = false
        } else {
            return nil
        }
    }
}

extension String: DirectlyRead {
    /// Text with escapes in it is left to the decoder.
    init?(json: ArraySlice<UInt8>) {
        guard json.first == UInt8(ascii: "\""), json.count >= 2 else { return nil }
        let content = json.dropFirst().dropLast()
        guard !content.contains(UInt8(ascii: "\\")) else { return nil }
        self.init(decoding: content, as: UTF8.self)
    }
}

extension FixedWidthInteger where Self: DirectlyRead {
    /// Digits, with a sign or without; `1e3` and `1.0` are whole numbers too.
    init?(json: ArraySlice<UInt8>) {
        var value: Self = 0
        let isNegative = json.first == UInt8(ascii: "-")
        for byte in isNegative ? json.dropFirst() : json {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                guard let number = Double(json: json), let exact = Self(exactly: number) else { return nil }
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
}

extension Int: DirectlyRead {}
extension Int8: DirectlyRead {}
extension Int16: DirectlyRead {}
extension Int32: DirectlyRead {}
extension Int64: DirectlyRead {}
extension UInt: DirectlyRead {}
extension UInt8: DirectlyRead {}
extension UInt16: DirectlyRead {}
extension UInt32: DirectlyRead {}
extension UInt64: DirectlyRead {}

extension BinaryFloatingPoint where Self: DirectlyRead & LosslessStringConvertible {
    /// A number that the type can hold.
    init?(json: ArraySlice<UInt8>) {
        guard let first = json.first,
            first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { return nil }
        guard let number = Self(String(decoding: json, as: UTF8.self)), number.isFinite else { return nil }
        self = number
    }
}

extension Double: DirectlyRead {}
extension Float: DirectlyRead {}

extension Optional: DirectlyRead where Wrapped: DirectlyRead {
    init?(json: ArraySlice<UInt8>) {
        if json.elementsEqual("null".utf8) {
            self = nil
        } else {
            guard let value = Wrapped(json: json) else { return nil }
            self = value
        }
    }
}
