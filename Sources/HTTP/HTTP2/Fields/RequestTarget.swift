import HTTPModel

/// `:path` (RFC 9113 §8.3.1): a path that starts with a slash, and optionally a query.
enum RequestTarget {
    /// Returns whether the bytes are a path and optionally a query. HTTP/1.1 accepts the same targets.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.first == UInt8(ascii: "/") && TargetSyntax.isPathAndQuery(bytes)
    }

    /// Returns whether the bytes are a scheme (RFC 3986 §3.1).
    static func isScheme(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, (first | 0x20) >= UInt8(ascii: "a"), (first | 0x20) <= UInt8(ascii: "z") else {
            return false
        }
        return ByteSet.scheme.prefix(of: bytes) == bytes.count
    }
}
