import HTTPModel

/// `:path` (RFC 9113 §8.3.1): a path that starts with a slash, and optionally a query.
enum RequestTarget {
    /// Returns whether the bytes are a path and query, possibly with characters that browsers do not escape there
    /// (``ByteSet/path``, ``ByteSet/query``). HTTP/1.1 accepts the same targets. An escaped NUL in the path is refused:
    /// no resource has it in its name, and it terminates strings elsewhere.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.first == UInt8(ascii: "/") else { return false }
        var offset = 0
        var isQuery = false
        while offset < bytes.count {
            let byte = bytes[offset]
            if (isQuery ? ByteSet.query : ByteSet.path).contains(byte) {
                offset += 1
            } else if byte == UInt8(ascii: "?") {
                isQuery = true
                offset += 1
            } else if byte == UInt8(ascii: "%"), bytes.escapedByte(at: offset) != 0 {
                // Browsers send a percent sign that starts no escape unchanged.
                offset += 1
            } else {
                return false
            }
        }
        return true
    }

    /// Returns whether the bytes are a scheme (RFC 3986 §3.1).
    static func isScheme(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, (first | 0x20) >= UInt8(ascii: "a"), (first | 0x20) <= UInt8(ascii: "z") else {
            return false
        }
        return bytes.allSatisfy(ByteSet.scheme.contains)
    }
}
