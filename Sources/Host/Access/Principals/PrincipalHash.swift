import HTTPModel

/// The identity of a principal as 16 bytes, for the owner of a stored session, for limits and for logs.
///
/// It does not reveal the identity to anyone without the key.
package struct PrincipalHash: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes.
    package static let byteCount = 16

    let bits: UInt128

    init(bits: UInt128) { self.bits = bits }

    /// Creates a hash from its stored bytes. Returns nil unless there are 16.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == PrincipalHash.byteCount else { return nil }
        bits = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The bytes, for storage.
    package var bytes: [UInt8] { withUnsafeBytes(of: bits.bigEndian) { Array($0) } }

    /// The first half as 16 hexadecimal digits, for logs.
    package var description: String { Hexadecimal.text(of: bytes.prefix(8)) }

    /// Hashes a half, whose bits are all random.
    package func hash(into hasher: inout Hasher) { hasher.combine(UInt64(truncatingIfNeeded: bits)) }
}

/// Computes the hashes of principals. Its key must stay the same for as long as sessions are stored.
package struct PrincipalHasher: Sendable {
    private let key: MACKey

    package init(key: SecretBytes) {
        self.key = MACKey(MACKey(key).derived(for: "granary principal"))
    }

    /// Returns the hash of a principal's identity. Costs about a microsecond.
    package func hash(of principal: Principal) -> PrincipalHash {
        var bytes = [principal.method.rawValue]
        // The length comes first, so that no two pairs of issuer and id have the same bytes.
        withUnsafeBytes(of: UInt32(clamping: principal.issuer.utf8.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: principal.issuer.utf8)
        bytes.append(contentsOf: principal.id.utf8)
        return PrincipalHash(bits: key.code(of: bytes).upperHalf)
    }
}
