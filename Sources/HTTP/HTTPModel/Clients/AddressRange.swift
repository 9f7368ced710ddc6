/// A range of numeric addresses with a common prefix: a single address, or a network such as `10.0.0.0/8` or
/// `2001:db8::/32`. The range `unix` contains the peers of Unix sockets, which have no addresses.
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The text that the range was created from.
    public let description: String
    /// The network's address, or `nil` for the peers of Unix sockets.
    private let address: NumericAddress?
    private let prefix: Int

    /// Creates a range from its text, or returns `nil` if the text is neither `unix` nor a numeric address, or if the
    /// prefix length is invalid. Bits after the prefix are ignored.
    public init?(_ text: String) {
        guard text != AddressRange.unix else {
            (description, address, prefix) = (text, nil, 0)
            return
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NumericAddress(String(parts[0])) else { return nil }
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
        guard address != nil else { return text == AddressRange.unix }
        return NumericAddress(text).map { contains($0) } ?? false
    }

    package func contains(_ other: NumericAddress) -> Bool {
        address.map { $0.masked(to: prefix) == other.masked(to: prefix) } ?? false
    }

    private static func decimal(_ digits: Substring) -> Int? {
        guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }
}
