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
