import HTTPModel

/// A fingerprint of the key that computes the hashes of principals. It does not reveal the key.
package struct IdentityFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes.
    package static let byteCount = 16

    /// The bytes, for storage.
    package let bytes: [UInt8]

    package init(of key: SecretBytes) {
        let code = MACKey(key).code(of: Array("granary identity fingerprint".utf8))
        bytes = Array(code.bytes.prefix(IdentityFingerprint.byteCount))
    }

    /// Creates a fingerprint from its stored bytes. Returns nil unless there are 16.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == IdentityFingerprint.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// The first half as 16 hexadecimal digits, for messages.
    package var description: String { Hexadecimal.text(of: bytes.prefix(8)) }
}
