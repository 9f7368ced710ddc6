import Access

/// The part of access control that one loop has: the configuration, and its own authenticator.
struct LoopAccess {
    let configuration: HostAccess
    /// Whether requests are checked before they are routed.
    let isGuarded: Bool
    /// Nil if no method of authentication is configured.
    var authenticator: Authenticator?
    /// The keys on which credentials may depend.
    let credentialKeys: Set<CredentialKey>
    /// Nil if no rate of requests is configured.
    let rates: RateTables?
    /// Counts rejected credentials; nil if they are not limited.
    let rejections: RateTable?

    init(_ configuration: HostAccess, _ rates: RateTables) {
        self.configuration = configuration
        isGuarded = !configuration.isEmpty
        self.rates = rates.limitRoutes ? rates : nil
        let rejections = rates[.rejections]
        self.rejections = rejections
        authenticator = configuration.authentication.map { Authenticator($0, rejections: rejections) }
        credentialKeys = configuration.authentication?.credentialKeys ?? []
    }

    /// Returns whether a credential is still accepted that depends on a key; nil if it depends on none.
    func accepts(_ key: CredentialKey?) -> Bool { key.map { credentialKeys.contains($0) } ?? true }
}
