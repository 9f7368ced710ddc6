import HTTPModel

// Checks field bytes in place: they belong to the library.
extension UnsafeRawBufferPointer {
    @inline(__always)
    func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for offset in 0..<count where self[offset] != text.utf8Start[offset] { return false }
        return true
    }

    /// Returns whether the bytes are the text, ignoring case. The text must be in lower case.
    func isEqualIgnoringCase(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for offset in 0..<count {
            let byte = self[offset]
            let lowercased = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            if lowercased != text.utf8Start[offset] { return false }
        }
        return true
    }

    /// Whether a field with this name describes an HTTP/1.1 connection (RFC 9113 §8.2.2).
    @inline(__always)
    var isConnectionField: Bool {
        switch count {
        case 7: isEqual(to: "upgrade")
        case 10: isEqual(to: "connection") || isEqual(to: "keep-alive")
        case 16: isEqual(to: "proxy-connection")
        case 17: isEqual(to: "transfer-encoding")
        default: false
        }
    }

    /// Whether all bytes are allowed in a field value and neither end is white space.
    @inline(__always)
    var isFieldValue: Bool {
        guard let first = self.first, let last = self.last else { return true }
        return first != 0x20 && first != 0x09 && last != 0x20 && last != 0x09 && HTTPFieldValue.areValueBytes(self)
    }

    /// The number that the decimal digits represent, or `nil` if there are other bytes, none, or too many.
    var decimalNumber: Int? {
        guard !isEmpty else { return nil }
        var number = 0
        for byte in self {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let (shifted, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carried) = shifted.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            guard !overflow, !carried else { return nil }
            number = sum
        }
        return number
    }
}
