#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A numeric address as 128 bits, an IPv4 address mapped into IPv6 (RFC 4291 §2.5.5.2).
package struct NumericAddress: Hashable, Sendable {
    /// The bits, the first byte being the highest one.
    package let bits: UInt128

    package init(bits: UInt128) { self.bits = bits }

    /// Parses an address without port, brackets and zone. Returns `nil` for any other text.
    package init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        // The C functions would stop at a NUL and accept the text before it.
        guard !text.utf8.contains(0) else { return nil }
        if inet_pton(AF_INET, text, &four) == 1 {
            bits = 0xFFFF << 32 | UInt128(UInt32(bigEndian: four.s_addr))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bits = withUnsafeBytes(of: &six) { bytes in bytes.reduce(0) { $0 << 8 | UInt128($1) } }
        } else {
            return nil
        }
    }

    package var isVersion4: Bool { bits >> 32 == 0xFFFF }

    /// Whether the address is reachable only on the same machine: `127.0.0.0/8` or `::1`.
    package var isLoopback: Bool { isVersion4 ? bits >> 24 & 0xFF == 127 : bits == 1 }

    /// The usual text; IPv4 without its mapping.
    package var text: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            withUnsafeBytes(of: bits.bigEndian) { bytes in
                let family = isVersion4 ? AF_INET : AF_INET6
                let address = bytes.baseAddress.map { isVersion4 ? $0 + 12 : $0 }
                _ = inet_ntop(family, address, text.baseAddress, socklen_t(text.count))
            }
            return String(decoding: UnsafeRawBufferPointer(text).prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// The bits that the addresses of a client share: all of them for IPv4, the first 64 for IPv6.
    var client: UInt128 { isVersion4 ? bits : (bits >> 64) << 64 }

    /// Returns the address with all bits after a prefix cleared.
    func masked(to prefix: Int) -> UInt128 {
        prefix == 0 ? 0 : bits & (UInt128.max << UInt128(128 - prefix))
    }
}
