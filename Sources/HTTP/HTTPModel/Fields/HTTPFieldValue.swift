/// A field value that is safe to send: it has no CR, LF, NUL or other control characters except tabs, and no white
/// space at its ends (RFC 9110 §5.5). An invalid value cannot be created.
public struct HTTPFieldValue: Hashable, Sendable {
    /// The characters of the value.
    public let string: String

    /// Creates a value at run time, or returns `nil` if it is invalid.
    public init?(_ string: String) {
        guard HTTPFieldValue.isValid(string.utf8) else { return nil }
        self.string = string
    }

    /// Creates a value with a number in decimal digits.
    public init(_ number: some BinaryInteger) {
        string = String(number)
    }

    init(unchecked string: String) {
        self.string = string
    }

    /// Returns whether bytes are a valid field value. Bytes above 0x7F are allowed (`obs-text`).
    public static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
        var first: UInt8?
        var last: UInt8 = 0
        for byte in bytes {
            guard isValueByte(byte) else { return false }
            if first == nil { first = byte }
            last = byte
        }
        guard let first else { return true }
        return !isBlank(first) && !isBlank(last)
    }

    /// Returns whether a byte is allowed inside a field value.
    @inlinable
    public static func isValueByte(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == 0x09
    }

    /// Returns whether all bytes are allowed inside a field value. Examines eight bytes at a time, because tokens and cookies
    /// are long.
    package static func areValueBytes(_ value: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset &+ 8 <= value.count {
            let word = value.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if mayHaveControls(word) {
                for place in offset..<(offset &+ 8) where !isValueByte(value[place]) { return false }
            }
            offset &+= 8
        }
        while offset < value.count {
            guard isValueByte(value[offset]) else { return false }
            offset &+= 1
        }
        return true
    }

    /// Returns whether a byte of a word is below a space, or DEL. A borrow can also report a byte next to one of these, so a
    /// word that is reported is checked byte by byte. Bytes above 0x7F are not reported.
    @inline(__always)
    private static func mayHaveControls(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let deleted = word ^ (ones &* 0x7F)
        let below = (word &- ones &* 0x20) & ~word
        return (below | (deleted &- ones) & ~deleted) & (ones &* 0x80) != 0
    }

    @inlinable
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension HTTPFieldValue: ExpressibleByStringLiteral {
    /// Creates a value from a literal. An invalid one is a programming error and traps.
    public init(stringLiteral value: String) {
        precondition(HTTPFieldValue.isValid(value.utf8), "\"\(value)\" cannot be sent as a field value")
        string = value
    }
}
