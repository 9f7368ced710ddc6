import CLinux

/// A numeric address as 128 bits, an IPv4 address mapped into IPv6 (RFC 4291 §2.5.5.2).
struct NetworkAddress: Hashable, Sendable {
    let bits: UInt128

    var isVersion4: Bool { bits >> 32 == 0xFFFF }

    /// Whether the address is `::1` or in `127.0.0.0/8`.
    var isLoopback: Bool { bits == 1 || bits >> 24 == 0xFF_FF7F }

    init(bits: UInt128) {
        self.bits = bits
    }

    /// Creates an address from its text, or returns `nil` if the text is not a numeric address.
    init?(_ text: String) {
        var bytes: (UInt64, UInt64) = (0, 0)
        // The C function would stop at a NUL and accept the text before it.
        guard !text.utf8.contains(0), granary_parse_address(text, &bytes) == 0 else { return nil }
        bits = UInt128(UInt64(bigEndian: bytes.0)) << 64 | UInt128(UInt64(bigEndian: bytes.1))
    }

    /// The usual text form; IPv4 without its mapping.
    var text: String {
        var bytes = (UInt64(truncatingIfNeeded: bits >> 64).bigEndian, UInt64(truncatingIfNeeded: bits).bigEndian)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(GRANARY_ADDRESS_LENGTH)) { text in
            granary_write_address(&bytes, text.baseAddress)
            return String(decoding: UnsafeRawBufferPointer(text).prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
