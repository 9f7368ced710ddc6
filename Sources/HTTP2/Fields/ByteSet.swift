/// A set of ASCII characters, asked with two shifts.
struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: StaticString) {
        characters.withUTF8Buffer { bytes in
            for byte in bytes { insert(byte) }
        }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }

    func union(_ characters: StaticString) -> ByteSet {
        var all = ByteSet(characters)
        all.low |= low
        all.high |= high
        return all
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low >> UInt64(byte) & 1 != 0 }
        return byte < 128 && high >> UInt64(byte & 63) & 1 != 0
    }
}

extension ByteSet {
    /// What field names are made of in HTTP/2: tokens (RFC 9110 §5.6.2) without upper-case letters.
    static let fieldName = ByteSet("abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~")
    /// What a registered name is made of (RFC 3986 §3.2.2), the percent sign left to the caller.
    static let host = ByteSet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=")
    /// What a path is made of (RFC 3986 §3.3).
    static let path = host.union(":@/")
    /// What a query is made of (RFC 3986 §3.4), and what browsers leave as it is in one all the same.
    static let query = path.union("?[]{}|^`\\")
    /// What an IPv6 address between brackets is made of.
    static let address = ByteSet("0123456789abcdefABCDEF:.")
    /// What a scheme is made of behind its first letter (RFC 3986 §3.1).
    static let scheme = ByteSet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
}
