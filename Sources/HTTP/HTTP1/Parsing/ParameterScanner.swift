import HTTPModel

/// Skips the parts of parameters: tokens, quoted strings and the blanks around them (RFC 9110 §5.6).
struct ParameterScanner {
    private let bytes: UnsafeRawBufferPointer
    /// The position of the next byte.
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset == bytes.count }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        while offset < bytes.count, bytes[offset] == ASCII.space || bytes[offset] == ASCII.tab { offset &+= 1 }
    }

    /// Skips one byte if it is the next one. Returns whether it is.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset &+= 1
        return true
    }

    /// Skips a token. Returns its bytes, or `nil` if none exists.
    mutating func skipToken() -> UnsafeRawBufferPointer? {
        let start = offset
        while offset < bytes.count, HTTPToken.isTokenByte(bytes[offset]) { offset &+= 1 }
        return offset > start ? bytes.part(start..<offset) : nil
    }

    /// Skips `=` and the token or quoted string after it, with the blanks around the `=`. Without an `=`, the position
    /// does not change. Returns `false` for an `=` without a valid value.
    mutating func skipValueIfPresent() -> Bool {
        let start = offset
        skipBlanks()
        guard skip(UInt8(ascii: "=")) else {
            offset = start
            return true
        }
        skipBlanks()
        return skip(UInt8(ascii: "\"")) ? skipRestOfQuotedString() : skipToken() != nil
    }

    /// Skips the characters after the opening quote, including the closing quote.
    private mutating func skipRestOfQuotedString() -> Bool {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset &+= 1
            if byte == UInt8(ascii: "\"") { return true }
            guard HTTPFieldValue.isValueByte(byte) else { return false }
            guard byte == UInt8(ascii: "\\") else { continue }
            guard offset < bytes.count, HTTPFieldValue.isValueByte(bytes[offset]) else { return false }
            offset &+= 1
        }
        return false
    }
}
