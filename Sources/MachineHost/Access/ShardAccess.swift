import Access

/// The part of access control that one loop has: the configuration, and its own authenticator.
struct ShardAccess {
    let configuration: HostAccess
    /// Nil if no method of authentication is configured.
    var authenticator: Authenticator?
    /// Nil if no rate is configured.
    let rates: RateTables?

    init(_ configuration: HostAccess, _ rates: RateTables) {
        self.configuration = configuration
        self.rates = rates.isEmpty ? nil : rates
        authenticator = configuration.authentication.map { Authenticator($0) }
    }
}
