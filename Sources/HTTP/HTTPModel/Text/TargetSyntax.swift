/// The syntax of targets and hosts (RFC 3986), which all versions of HTTP share.
package enum TargetSyntax {
    /// Returns whether all characters are allowed in a path and, after a question mark, in a query, including characters that
    /// browsers do not escape there (``ByteSet/path``, ``ByteSet/query``). An escaped NUL in a path is refused: no resource has
    /// it in its name, and it terminates strings elsewhere.
    package static func isPathAndQuery(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var end = ByteSet.path.prefix(of: bytes)
        // Browsers send a percent sign that starts no escape unchanged.
        while end < bytes.count, bytes[end] == UInt8(ascii: "%"), escapedByte(in: bytes, at: end) != 0 {
            end = ByteSet.path.prefix(of: bytes, from: end &+ 1)
        }
        guard end < bytes.count else { return true }
        return bytes[end] == UInt8(ascii: "?") && ByteSet.query.prefix(of: bytes, from: end &+ 1) == bytes.count
    }

    /// Returns whether the bytes are `uri-host [ ":" port ]` (RFC 9110 §7.2). User information is not part of it.
    package static func isHostAndPort(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let end = endOfHost(bytes) else { return false }
        guard end < bytes.count else { return true }
        return bytes[end] == UInt8(ascii: ":") && isPort(UnsafeRawBufferPointer(rebasing: bytes[(end &+ 1)...]))
    }

    private static func endOfHost(_ bytes: UnsafeRawBufferPointer) -> Int? {
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), close > 2,
                ByteSet.address.prefix(of: bytes, from: 1) == close
            else { return nil }
            return close + 1
        }
        var end = ByteSet.host.prefix(of: bytes)
        while end < bytes.count, bytes[end] == UInt8(ascii: "%"), escapedByte(in: bytes, at: end) != nil {
            end = ByteSet.host.prefix(of: bytes, from: end &+ 1)
        }
        return end > 0 ? end : nil
    }

    /// Returns whether the bytes are a port. An empty one means the default port of the scheme (RFC 3986 §3.2.3).
    private static func isPort(_ digits: UnsafeRawBufferPointer) -> Bool {
        guard digits.count <= 5 else { return false }
        var port = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return false }
            port = port * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return port <= 65535
    }

    /// Returns the byte that the two characters after a percent sign stand for; nil if they are not hexadecimal digits.
    private static func escapedByte(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt8? {
        guard offset &+ 2 < bytes.count, let high = Hexadecimal.value(of: bytes[offset &+ 1]),
            let low = Hexadecimal.value(of: bytes[offset &+ 2])
        else { return nil }
        return high << 4 | low
    }
}
