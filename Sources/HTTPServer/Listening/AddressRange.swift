import CLinux

/// A range of numeric addresses with a common prefix: a single address, or a network such as `10.0.0.0/8` or
/// `2001:db8::/32`. The range `unix` contains the peers of Unix sockets, which have no addresses.
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The text that the range was created from.
    public let description: String
    /// The network's address, or `nil` for the peers of Unix sockets.
    private let address: NetworkAddress?
    private let prefix: Int

    /// Creates a range from its text, or returns `nil` if the text is neither `unix` nor a numeric address, or if the
    /// prefix length is invalid. Bits after the prefix are ignored.
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
        // An IPv4 address is the last 32 bits of the IPv6 address that it is mapped to.
        prefix = address.isVersion4 ? 96 + length : length
    }

    private static let unix = "unix"

    /// Returns whether the range contains an address. `::ffff:192.0.2.1` is the same as `192.0.2.1`. A text that is not
    /// an address is contained in no range, except `unix`.
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

    /// Returns the address with all bits after the prefix cleared.
    func masked(to prefix: Int) -> UInt128 {
        prefix == 0 ? 0 : bits & (UInt128.max << UInt128(128 - prefix))
    }
}
