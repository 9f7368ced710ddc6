import Access

/// The part of access control that one loop has: the configuration, and its own authenticator.
struct ShardAccess {
    private(set) var configuration: HostAccess
    /// Nil if no method of authentication is configured.
    var authenticator: Authenticator?
    /// The keys on which credentials may depend.
    let credentialKeys: Set<CredentialKey>
    /// Nil if no rate is configured. See ``SessionShard/replaceRates()``.
    var rates: RateTables?

    init(_ configuration: HostAccess) {
        self.configuration = configuration
        authenticator = configuration.authentication.map { Authenticator($0) }
        credentialKeys = configuration.authentication?.credentialKeys ?? []
    }

    /// Returns whether a credential is still accepted that depends on a key; nil if it depends on none.
    func accepts(_ key: CredentialKey?) -> Bool { key.map { credentialKeys.contains($0) } ?? true }

    /// Replaces the configuration, and forgets the credentials that were verified with the previous one.
    mutating func replace(with configuration: HostAccess) {
        let rates = rates
        self = ShardAccess(configuration)
        self.rates = rates
    }
}
