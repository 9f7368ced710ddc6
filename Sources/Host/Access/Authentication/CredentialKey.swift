/// An identifier of the key on which a credential depends: a key of an issuer, a key that signs cookies and tickets, or an API key with its
/// name. Shows whether the credential is still accepted after keys were replaced.
package struct CredentialKey: Hashable, Sendable {
    let bits: UInt128

    init(bits: UInt128) { self.bits = bits }

    /// Creates the identifier from parts, each of which is preceded by its length.
    init(_ parts: [UInt8]...) {
        var bytes: [UInt8] = []
        for part in parts {
            withUnsafeBytes(of: UInt32(clamping: part.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes += part
        }
        bits = bytes.withUnsafeBytes { Digest.sha256($0).upperHalf }
    }
}

extension AccessConfiguration {
    /// The keys of all credentials that are accepted. Others, such as client certificates, depend on no key.
    package var credentialKeys: Set<CredentialKey> {
        var keys = Set(apiKeys?.credentialKeys ?? [])
        for issuer in (tokens?.issuers ?? [:]).values {
            for key in issuer.keys?.keys ?? [] { keys.insert(key.credentialKey(of: issuer)) }
        }
        keys.formUnion(tickets?.credentialKeys ?? [])
        keys.formUnion(cookies?.credentialKeys ?? [])
        return keys
    }
}
