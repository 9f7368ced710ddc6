import HTTPModel

/// The keys that sign cookies and tickets. The first one signs; all of them verify, so that keys can be rotated.
package struct SigningKeys: Sendable {
    /// The purpose of a signature. A text that is signed for one purpose is invalid for the others.
    enum Purpose: CaseIterable {
        case cookie, ticket

        fileprivate var label: String {
            switch self {
            case .cookie: "granary cookie"
            case .ticket: "granary ticket"
            }
        }
    }

    private struct Key: Sendable {
        let id: UInt32
        let credentialKey: CredentialKey
        let cookie: MACKey
        let ticket: MACKey

        init(_ secret: SecretBytes) {
            let key = MACKey(secret)
            let code = key.code(of: Array("granary key id".utf8)).upperHalf
            id = UInt32(truncatingIfNeeded: code >> 96)
            credentialKey = CredentialKey(bits: code)
            cookie = MACKey(key.derived(for: Purpose.cookie.label))
            ticket = MACKey(key.derived(for: Purpose.ticket.label))
        }

        subscript(purpose: Purpose) -> MACKey {
            switch purpose {
            case .cookie: cookie
            case .ticket: ticket
            }
        }
    }

    /// The minimum number of bytes of a key (RFC 2104 §3).
    package static let leastByteCount = 32
    private static let idByteCount = 4

    private let keys: [Key]

    /// The keys, the one that signs first.
    var credentialKeys: [CredentialKey] { keys.map(\.credentialKey) }

    /// Creates the keys, the one that signs first. Returns nil if there are none, or if one has fewer than 32 bytes.
    package init?(_ secrets: [SecretBytes]) {
        guard !secrets.isEmpty, secrets.allSatisfy({ $0.count >= SigningKeys.leastByteCount }) else { return nil }
        keys = secrets.map(Key.init)
    }

    /// Returns one random key, which ends with the process.
    package static func random() -> SigningKeys {
        SigningKeys(keys: [Key(.random(count: leastByteCount))])
    }

    private init(keys: [Key]) { self.keys = keys }

    /// Returns content with the id of the key before it and its code after it, as base64url.
    func signed(_ content: [UInt8], for purpose: Purpose) -> String {
        let key = keys[0]
        var bytes = withUnsafeBytes(of: key.id.bigEndian) { Array($0) }
        bytes.append(contentsOf: content)
        bytes.append(contentsOf: key[purpose].code(of: bytes).bytes)
        return Base64URL.text(of: bytes)
    }

    /// Returns the content of a signed text, its key, and whether that is not the first one; nil if no key has signed it.
    func content(
        of text: UnsafeRawBufferPointer, for purpose: Purpose, longest: Int
    ) -> (bytes: ArraySlice<UInt8>, isOld: Bool, key: CredentialKey)? {
        // Checked before anything is decoded: the text can be as long as a head.
        guard text.count <= longest, let bytes = Base64URL.bytes(of: text) else { return nil }
        let end = bytes.count - MACKey.byteCount
        guard end > SigningKeys.idByteCount, let code = Digest(bytes[end...]) else { return nil }
        let id = bytes.prefix(SigningKeys.idByteCount).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        // Two keys could have the same id, once in 2³² pairs.
        for (index, key) in keys.enumerated() where key.id == id {
            let expected = bytes.withUnsafeBytes { all in
                key[purpose].code(of: UnsafeRawBufferPointer(rebasing: all[..<end]))
            }
            if expected == code {
                return (bytes[SigningKeys.idByteCount..<end], isOld: index > 0, key.credentialKey)
            }
        }
        return nil
    }
}
