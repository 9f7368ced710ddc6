package enum Hexadecimal {
    /// Returns the digits of bytes in lower case, two for each.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            withUnsafeBytes(of: Hexadecimal.digits(of: UInt32(byte))) { digits.append(contentsOf: $0.suffix(2)) }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the 16 digits of a number in lower case.
    package static func text(of number: UInt64) -> String {
        withUnsafeBytes(of: digits(of: number)) { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the 8 digits of a number in lower case.
    package static func text(of number: UInt32) -> String {
        withUnsafeBytes(of: digits(of: number)) { String(decoding: $0, as: UTF8.self) }
    }

    /// Appends the 16 digits of a number in lower case.
    package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: digits(of: number)) { bytes.append(contentsOf: $0) }
    }

    /// Returns the 16 digits of a number in lower case, in the order of the bytes in memory.
    private static func digits(of number: UInt64) -> (high: UInt64, low: UInt64) {
        (digits(of: UInt32(truncatingIfNeeded: number >> 32)), digits(of: UInt32(truncatingIfNeeded: number)))
    }

    /// Returns the 8 digits of a number in lower case, in the order of the bytes in memory.
    private static func digits(of number: UInt32) -> UInt64 {
        var nibbles = UInt64(number)
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // One in each byte above 9, which becomes a letter.
        let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let digits = nibbles &+ 0x3030_3030_3030_3030 &+ letters &* UInt64(UInt8(ascii: "a") - UInt8(ascii: "9") - 1)
        return digits.bigEndian
    }

    /// Returns the bytes of digits; nil if the text has other characters or an odd number of digits.
    package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let digit = value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    /// Returns the value of a digit of either case; nil for another character.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
