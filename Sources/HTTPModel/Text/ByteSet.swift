/// A set of ASCII characters, asked with two shifts.
///
/// The sets are written out as bits, so that they are constants where they are used: every byte of every target and name is
/// looked up, and nothing has to be made, or asked whether it has been, before the first look.
package struct ByteSet: Sendable {
    /// A bit for each of the characters 0 to 63.
    @usableFromInline let low: UInt64
    /// A bit for each of the characters 64 to 127.
    @usableFromInline let high: UInt64

    @inlinable
    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Whether the set has that byte.
    @inlinable @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low >> UInt64(byte) & 1 != 0 }
        return byte < 128 && high >> UInt64(byte & 63) & 1 != 0
    }
}

extension ByteSet {
    /// What field names are made of in HTTP/2: tokens (RFC 9110 §5.6.2) without upper-case letters: lower-case letters,
    /// digits and ``!#$%&'*+-.^_`|~``.
    @inlinable @inline(__always) package static var fieldName: ByteSet {
        ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C000_0000)
    }
    /// What a registered name is made of (RFC 3986 §3.2.2), the percent sign left to the caller: letters, digits and
    /// `-._~!$&'()*+,;=`.
    @inlinable @inline(__always) package static var host: ByteSet {
        ByteSet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }
    /// What a path is made of (RFC 3986 §3.3), the percent sign left to the caller: the characters of a name and `:@/`; and
    /// what browsers leave unescaped in one: `[]|^`.
    @inlinable @inline(__always) package static var path: ByteSet {
        ByteSet(low: 0x2FFF_FFD2_0000_0000, high: 0x57FF_FFFE_EFFF_FFFF)
    }
    /// What a query is made of (RFC 3986 §3.4), and what browsers leave unescaped in one: the characters of a path and
    /// ``?%[]{}|^`\``. A percent sign needs not start an escape.
    @inlinable @inline(__always) package static var query: ByteSet {
        ByteSet(low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
    }
    /// What an IPv6 address between brackets is made of: hexadecimal digits, colon and full stop.
    @inlinable @inline(__always) package static var address: ByteSet {
        ByteSet(low: 0x07FF_4000_0000_0000, high: 0x0000_007E_0000_007E)
    }
    /// What a scheme is made of behind its first letter (RFC 3986 §3.1): letters, digits and `+-.`.
    @inlinable @inline(__always) package static var scheme: ByteSet {
        ByteSet(low: 0x03FF_6800_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)
    }
}
