/// The name of a header field: a token (RFC 9110 §5.6.2). It is stored in lower case, because names are
/// case-insensitive and HTTP/2 sends them in lower case.
public struct HTTPFieldName: Hashable, Sendable {
    /// The name in lower case.
    public let lowercased: String

    /// Creates a name, or returns `nil` if the text is not a token.
    public init?(_ name: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(HTTPToken.isTokenByte) else { return nil }
        lowercased = name.lowercased()
    }

    init(known: String) {
        lowercased = known
    }

    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        var text = lowercased
        return try text.withUTF8(body)
    }
}

extension HTTPFieldName: ExpressibleByStringLiteral {
    /// Creates a name from a literal. A text that is not a token is a programming error and traps.
    public init(stringLiteral name: String) {
        precondition(
            !name.isEmpty && name.utf8.allSatisfy(HTTPToken.isTokenByte),
            "expected a token as a field name, got \"\(name)\"")
        lowercased = name.lowercased()
    }
}

extension HTTPFieldName: CustomStringConvertible {
    /// The name in lower case.
    public var description: String { lowercased }
}

/// The characters of tokens (RFC 9110 §5.6.2).
public enum HTTPToken {
    /// Returns whether a byte is allowed in a token: letters, digits, the backtick
    /// and `!#$%&'*+-.^_|~`.
    @inlinable
    public static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
