/// Base64url without padding (RFC 4648 §5, RFC 7515 §2).
package enum Base64URL {
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity((bytes.underestimatedCount * 4 + 2) / 3)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                digits.append(digit(UInt8(truncatingIfNeeded: bits >> count & 63)))
            }
        }
        if count > 0 { digits.append(digit(UInt8(truncatingIfNeeded: bits << (6 - count) & 63))) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the bytes of a text; nil if it has padding, white space or other characters, or if its unused bits are not
    /// zero.
    ///
    /// So each sequence of bytes has exactly one spelling: a signed text cannot be changed without a change of its bytes.
    package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for character in text {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bits & (1 << count - 1) == 0 ? bytes : nil
    }

    /// Returns the two words that 22 digits represent; nil for other text, and for an alternative spelling whose unused bits are
    /// not zero.
    // A call for all digits: other modules do not inline the conversion of one, and the paths of all requests have ids.
    package static func words(of text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
        guard text.count == 22 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for index in 0..<21 {
            guard let digit = value(of: text[index]) else { return nil }
            high = high << 6 | low >> 58
            low = low << 6 | UInt64(digit)
        }
        // 22 digits hold 132 bits. If the four spare bits were ignored, 16 texts would represent the same words.
        guard let last = value(of: text[21]), last & 0b1111 == 0 else { return nil }
        return (high << 2 | low >> 62, low << 2 | UInt64(last >> 4))
    }

    /// Appends two words as 22 digits.
    package static func append(_ high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22) { digits in
            var (high, low) = (high, low)
            for place in digits.indices {
                digits.initializeElement(at: place, to: digit(UInt8(truncatingIfNeeded: high >> 58)))
                high = high << 6 | low >> 58
                low <<= 6
            }
            bytes.append(contentsOf: digits)
        }
    }

    /// Returns the digit of a value below 64.
    // Inlinable, because the ids in the paths of all requests are read and written digit by digit.
    @inlinable
    @inline(__always)
    package static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    /// Returns the value of a digit; nil for other characters.
    @inlinable
    @inline(__always)
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
