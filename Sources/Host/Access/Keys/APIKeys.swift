/// The API keys that a server accepts, prepared for requests.
package struct APIKeys: Sendable {
    private struct Owner: Sendable {
        let principal: Principal
        let hash: PrincipalHash
    }

    private let owners: [Digest: Owner]

    package init(_ file: APIKeyFile, hasher: PrincipalHasher) {
        var owners: [Digest: Owner] = [:]
        for entry in file.entries {
            // With the name: a key that gets another one is another principal's.
            let key = CredentialKey(entry.digest.bytes, Array(entry.name.utf8))
            let principal = Principal(method: .apiKey, id: entry.name, key: key)
            owners[entry.digest] = Owner(principal: principal, hash: hasher.hash(of: principal))
        }
        self.owners = owners
    }

    var credentialKeys: [CredentialKey] { owners.values.compactMap(\.principal.key) }

    /// Returns the principal with a key, given the digest of the key; nil if none exists.
    ///
    /// The digest decides where the dictionary looks, and digests are compared in constant time. So the time depends on
    /// neither a key nor a stored digest.
    func owner(of digest: Digest) -> (principal: Principal, hash: PrincipalHash)? {
        owners[digest].map { ($0.principal, $0.hash) }
    }
}
