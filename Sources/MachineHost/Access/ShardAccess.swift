import Access

/// The part of access control that one loop has: the configuration, and its own authenticator.
struct ShardAccess {
    private(set) var configuration: HostAccess
    /// Nil if no method of authentication is configured.
    var authenticator: Authenticator?
    /// Nil if no rate is configured. See ``SessionShard/replaceRates()``.
    var rates: RateTables?

    init(_ configuration: HostAccess) {
        self.configuration = configuration
        authenticator = configuration.authentication.map { Authenticator($0) }
    }

    /// Replaces the configuration, and forgets the credentials that were verified with the previous one.
    mutating func replace(with configuration: HostAccess) {
        let rates = rates
        self = ShardAccess(configuration)
        self.rates = rates
    }
}
