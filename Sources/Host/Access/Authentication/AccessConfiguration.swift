/// The configured methods of authentication. A method that is nil is not available.
package struct AccessConfiguration: Sendable {
    /// JSON Web Tokens.
    package var tokens: TokenVerifier?
    package var apiKeys: APIKeys?
    package var tickets: TicketAuthority?
    package var cookies: CookieAuthority?
    package var certificates: CertificateIdentity?
    package var proxyField: ProxyField?
    /// A closure of the program.
    package var host: HostAuthenticator?
    package var hasher: PrincipalHasher
    /// The maximum number of verified tokens, and of verified cookies, that each loop remembers.
    package var maxCached = 4096

    /// Creates a configuration without any method.
    package init(hasher: PrincipalHasher) { self.hasher = hasher }

    /// Whether a request can have credentials that are sent in `Authorization`.
    var hasExplicitMethods: Bool { tokens != nil || apiKeys != nil || tickets != nil }

    /// Whether there is any method.
    var hasMethods: Bool { hasExplicitMethods || hasFieldlessMethods || cookies != nil || proxyField != nil }

    /// Whether a request can have credentials without any field.
    var hasFieldlessMethods: Bool { certificates != nil || host != nil }
}
