/// A field value that is safe to write: no CR, LF, NUL or other control but the tab, and no white space at
/// its ends (RFC 9110 §5.5). What cannot be a value cannot be made.
public struct HTTPFieldValue: Hashable, Sendable {
    /// The value's characters.
    public let string: String

    /// A value that is only known when the program runs; `nil` if it may not be sent.
    public init?(_ string: String) {
        guard HTTPFieldValue.isValid(string.utf8) else { return nil }
        self.string = string
    }

    /// A number in decimal digits.
    public init(_ number: some BinaryInteger) {
        string = String(number)
    }

    init(unchecked string: String) {
        self.string = string
    }

    /// Whether bytes may stand as a field value. Bytes over 0x7F are allowed (`obs-text`).
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

    /// Whether a byte may stand inside a field value.
    @inlinable
    public static func isValueByte(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == 0x09
    }

    @inlinable
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension HTTPFieldValue: ExpressibleByStringLiteral {
    /// A value in the source. One that may not be sent is a mistake of the caller and traps.
    public init(stringLiteral value: String) {
        precondition(HTTPFieldValue.isValid(value.utf8), "\"\(value)\" cannot be sent as a field value")
        string = value
    }
}
