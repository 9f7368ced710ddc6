import CLinux

/// A range of numeric addresses that share a prefix: one address, or a network as `10.0.0.0/8`, `2001:db8::/32`. Or `unix`,
/// the peers of Unix sockets, which have no addresses.
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The text that it was made from.
    public let description: String
    /// `nil` for the peers of Unix sockets.
    private let address: NetworkAddress?
    private let prefix: Int

    /// A range from its text; `nil` if that is neither `unix` nor a numeric address, or the length of its prefix is none.
    /// Bits behind the prefix do not matter.
    public init?(_ text: String) {
        guard text != AddressRange.unix else {
            (description, address, prefix) = (text, nil, 0)
            return
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NetworkAddress(String(parts[0])) else { return nil }
        let longest = address.isVersion4 ? 32 : 128
        guard let length = parts.count == 1 ? longest : AddressRange.decimal(parts[1]), length <= longest else {
            return nil
        }
        description = text
        self.address = address
        // An IPv4 address is the last 32 bits of the IPv6 address that it maps to.
        prefix = address.isVersion4 ? 96 + length : length
    }

    private static let unix = "unix"

    /// Whether the address lies in the range. `::ffff:192.0.2.1` is `192.0.2.1`; a text that is no address lies in none, but
    /// for `unix`.
    public func contains(_ text: String) -> Bool {
        guard let address else { return text == AddressRange.unix }
        return NetworkAddress(text).map { $0.masked(to: prefix) == address.masked(to: prefix) } ?? false
    }

    private static func decimal(_ digits: Substring) -> Int? {
        guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }
}

/// A numeric address as 128 bits, an IPv4 address mapped into IPv6 (RFC 4291 §2.5.5.2).
struct NetworkAddress: Hashable, Sendable {
    let bits: UInt128

    var isVersion4: Bool { bits >> 32 == 0xFFFF }

    /// Whether it is `::1` or in `127.0.0.0/8`.
    var isLoopback: Bool { bits == 1 || bits >> 24 == 0xFF_FF7F }

    init(bits: UInt128) {
        self.bits = bits
    }

    /// `nil` for anything but a numeric address.
    init?(_ text: String) {
        var bytes: (UInt64, UInt64) = (0, 0)
        // A NUL would end the text before its end.
        guard !text.utf8.contains(0), granary_parse_address(text, &bytes) == 0 else { return nil }
        bits = UInt128(UInt64(bigEndian: bytes.0)) << 64 | UInt128(UInt64(bigEndian: bytes.1))
    }

    /// As people write it, IPv4 without its mapping.
    var text: String {
        var bytes = (UInt64(truncatingIfNeeded: bits >> 64).bigEndian, UInt64(truncatingIfNeeded: bits).bigEndian)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(GRANARY_ADDRESS_LENGTH)) { text in
            granary_write_address(&bytes, text.baseAddress)
            return String(decoding: UnsafeRawBufferPointer(text).prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// The address with all bits behind the prefix cleared.
    func masked(to prefix: Int) -> UInt128 {
        prefix == 0 ? 0 : bits & (UInt128.max << UInt128(128 - prefix))
    }
}
