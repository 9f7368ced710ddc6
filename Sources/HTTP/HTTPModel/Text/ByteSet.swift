/// A set of ASCII characters that is tested with two shifts.
///
/// The sets are written as bit masks, so that they are constants where they are used. Every byte of every target and
/// name is looked up, and a lazily initialized global would add a check to each lookup.
package struct ByteSet: Sendable {
    /// One bit for each of the characters 0 to 63.
    @usableFromInline let low: UInt64
    /// One bit for each of the characters 64 to 127.
    @usableFromInline let high: UInt64

    @inlinable
    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    @inlinable @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low >> UInt64(byte) & 1 != 0 }
        return byte < 128 && high >> UInt64(byte & 63) & 1 != 0
    }

    /// Returns the offset of the first byte that is not in the set; the number of bytes if all are.
    // A call for all bytes: other modules do not inline a test of one byte.
    package func prefix(of bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int {
        var offset = start
        // With `contains(_:)`, the loop takes half as long again. The shifts use the lower six bits of the byte.
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte < 64 {
                guard low &>> UInt64(byte) & 1 != 0 else { return offset }
            } else {
                guard byte < 128, high &>> UInt64(byte) & 1 != 0 else { return offset }
            }
            offset &+= 1
        }
        return offset
    }
}

extension ByteSet {
    /// The characters of field names in HTTP/2: tokens (RFC 9110 §5.6.2) without upper-case letters, that is,
    /// lower-case letters, digits and ``!#$%&'*+-.^_`|~``.
    @inlinable @inline(__always) package static var fieldName: ByteSet {
        ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C000_0000)
    }
    /// The characters of a registered name (RFC 3986 §3.2.2), except the percent sign: letters, digits and
    /// `-._~!$&'()*+,;=`.
    @inlinable @inline(__always) package static var host: ByteSet {
        ByteSet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }
    /// The characters of a path (RFC 3986 §3.3), except the percent sign: those of a name and `:@/`, and those that
    /// browsers leave unescaped in a path: `[]|^`.
    @inlinable @inline(__always) package static var path: ByteSet {
        ByteSet(low: 0x2FFF_FFD2_0000_0000, high: 0x57FF_FFFE_EFFF_FFFF)
    }
    /// The characters of a query (RFC 3986 §3.4) and those that browsers leave unescaped in one: the characters of a
    /// path and ``?%[]{}|^`\``. A percent sign need not start an escape.
    @inlinable @inline(__always) package static var query: ByteSet {
        ByteSet(low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
    }
    /// The characters of an IPv6 address in brackets: hexadecimal digits, colon and full stop.
    @inlinable @inline(__always) package static var address: ByteSet {
        ByteSet(low: 0x07FF_4000_0000_0000, high: 0x0000_007E_0000_007E)
    }
    /// The characters of a scheme after its first letter (RFC 3986 §3.1): letters, digits and `+-.`.
    @inlinable @inline(__always) package static var scheme: ByteSet {
        ByteSet(low: 0x03FF_6800_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)
    }
}
