/// The name of a header field: a token (RFC 9110 §5.6.2), kept in lower case, since names are compared
/// without case and HTTP/2 sends them so.
public struct HTTPFieldName: Hashable, Sendable {
    /// The name in lower case.
    public let lowercased: String

    /// A name from outside; `nil` if it is empty or holds a character that no token has.
    public init?(_ name: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(HTTPToken.isTokenByte) else { return nil }
        lowercased = name.lowercased()
    }

    init(known: String) {
        lowercased = known
    }

    /// Lends the characters as bytes.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        var text = lowercased
        return try text.withUTF8(body)
    }
}

extension HTTPFieldName: ExpressibleByStringLiteral {
    /// A name in the source. One that is no token is a mistake of the caller and traps.
    public init(stringLiteral name: String) {
        precondition(
            !name.isEmpty && name.utf8.allSatisfy(HTTPToken.isTokenByte), "a field name is a token, this is \"\(name)\""
        )
        lowercased = name.lowercased()
    }
}

extension HTTPFieldName: CustomStringConvertible {
    /// The name in lower case.
    public var description: String { lowercased }
}

/// The alphabet of tokens (RFC 9110 §5.6.2).
public enum HTTPToken {
    /// Whether a byte may stand in a token: letters, digits and ``!#$%&'*+-.^_`|~``.
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
