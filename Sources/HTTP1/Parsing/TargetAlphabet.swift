/// Which characters a target and a host are made of (RFC 3986), the percent sign left to the caller.
///
/// Each set is a bit for each of ASCII's 128 characters, as every byte of every target is looked up.
enum TargetAlphabet {
    /// A registered name's characters (§3.2.2).
    private static let host = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=")
    /// A path's characters and the slash between its segments (§3.3).
    private static let path = host | set(":@/")
    /// A query's characters (§3.4) and those that browsers leave as they are in one all the same (the query
    /// percent-encode set of the WHATWG's URL standard).
    private static let query = path | set("?[]{}|^`\\")

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
        var low: UInt64 = 0
        var high: UInt64 = 0

        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            let bits = byte & 0x40 == 0 ? low : high
            return byte < 0x80 && bits >> UInt64(byte & 0x3F) & 1 != 0
        }

        static func | (left: Characters, right: Characters) -> Characters {
            Characters(low: left.low | right.low, high: left.high | right.high)
        }
    }

    private static func set(_ characters: StaticString) -> Characters {
        var set = Characters()
        for offset in 0..<characters.utf8CodeUnitCount {
            let byte = characters.utf8Start[offset]
            if byte & 0x40 == 0 { set.low |= 1 << UInt64(byte & 0x3F) } else { set.high |= 1 << UInt64(byte & 0x3F) }
        }
        return set
    }
}
