/// Which characters a target and a host are made of (RFC 3986), the percent sign left to the caller.
///
/// Each set is a bit for each of ASCII's 128 characters, as every byte of every target is looked up; written out, so that it
/// is data of the program and nothing has to be made, or asked whether it has been, before the first look.
enum TargetAlphabet {
    /// A registered name's characters (§3.2.2): letters, digits and `-._~!$&'()*+,;=`.
    private static let host = Characters(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    /// A path's characters and the slash between its segments (§3.3): those of a name and `:@/`.
    private static let path = Characters(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
    /// A query's characters (§3.4) and those that browsers leave as they are in one all the same (the query
    /// percent-encode set of the WHATWG's URL standard): those of a path and ``?[]{}|^`\``.
    private static let query = Characters(low: 0xAFFF_FFD2_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)

    @inline(__always)
    static func isPathByte(_ byte: UInt8) -> Bool { path.contains(byte) }

    @inline(__always)
    static func isQueryByte(_ byte: UInt8) -> Bool { query.contains(byte) }

    @inline(__always)
    static func isHostByte(_ byte: UInt8) -> Bool { host.contains(byte) }

    /// The characters of an IPv6 address between its brackets.
    static func isAddressByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") || ASCII.hexadecimalDigit(byte) != nil
    }

    private struct Characters {
        let low: UInt64
        let high: UInt64

        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            let bits = byte & 0x40 == 0 ? low : high
            return byte < 0x80 && bits >> UInt64(byte & 0x3F) & 1 != 0
        }
    }
}
