import HTTPModel

/// `uri-host [ ":" port ]` (RFC 9113 §8.3.1): the form of `:authority` and `Host`. User information is not part of it.
enum Authority {
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let hostEnd = endOfHost(bytes) else { return false }
        if hostEnd == bytes.count { return true }
        guard bytes[hostEnd] == UInt8(ascii: ":") else { return false }
        let port = UnsafeRawBufferPointer(rebasing: bytes[(hostEnd + 1)...])
        // An empty port means the default port of the scheme (RFC 3986 §3.2.3).
        if port.isEmpty { return true }
        guard port.count <= 5, let number = port.decimalNumber else { return false }
        return number <= 65535
    }

    /// Returns whether two authorities are equal, ignoring case.
    static func matches(_ one: String, _ other: String) -> Bool {
        one == other || one.lowercased() == other.lowercased()
    }

    private static func endOfHost(_ bytes: UnsafeRawBufferPointer) -> Int? {
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), close > 2,
                bytes[1..<close].allSatisfy(ByteSet.address.contains)
            else { return nil }
            return close + 1
        }
        var end = 0
        while end < bytes.count, ByteSet.host.contains(bytes[end]) || bytes.escapedByte(at: end) != nil { end += 1 }
        return end > 0 ? end : nil
    }
}
