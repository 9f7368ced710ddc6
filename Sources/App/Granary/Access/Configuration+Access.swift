public import Access
public import HTTPModel

extension Configuration {
    /// The access control and the limits of clients (sections `access`, `rates` and `quotas`, and `http.trustedProxies`).
    ///
    /// Nobody needs a principal by default: everyone who knows the id of a session may use it.
    public struct AccessControl: Sendable, Equatable {
        /// The name in a client certificate that identifies its principal.
        public enum CertificateName: String, Sendable, CaseIterable {
            /// The subject, in the form of RFC 2253: `CN=Ada,O=Example`.
            case subject
            /// The first DNS name.
            case dns = "DNS"
            /// The first URI, such as a SPIFFE id.
            case uri = "URI"
            /// The first email address.
            case email
        }

        /// How principals appear in the log.
        public enum AuditedPrincipals: String, Sendable, CaseIterable {
            /// As a keyed hash.
            case hash
            /// As method, issuer and id.
            case id
        }

        /// Whether requests without a principal or a ticket get 401.
        public var requiresPrincipal = false
        /// The issuers of JSON Web Tokens.
        public var tokenIssuers: [TokenIssuer] = []
        /// The difference between the clocks of an issuer and the server that is accepted.
        public var tokenSkew = Duration.seconds(30)
        /// The file with the names and digests of API keys. Without one, API keys are not accepted.
        public var apiKeys = ""
        /// The name in a client certificate that identifies its principal, if `tls.clientIssuers` is set.
        public var certificateName = CertificateName.subject
        /// The field with which a trusted proxy names its client's user. Without one, no proxy authenticates clients.
        public var proxyField = ""
        /// The proxies whose statements about their clients are believed.
        public var trustedProxies: [AddressRange] = []
        /// The field in which the trusted proxies name their clients.
        public var clientField = ClientField.xForwardedFor
        /// The principals who may use admin listeners that other machines can reach, such as `apiKey:prometheus`,
        /// `certificate:scraper.example`, `proxy:ada` or `claim:role=operator`.
        public var operators: [String] = []
        /// Whether a cookie identifies browsers, so that the sessions of a page survive a reload and belong to the page.
        public var usesCookie = false
        /// The time after which a browser forgets the cookie.
        public var cookieLifetime = Duration.seconds(180 * 86_400)
        /// The file with the keys that sign cookies and tickets, the newest first.
        public var signingKeys = ""
        /// The file with the key of the hashes that identify the owners of stored sessions.
        public var identityKey = ""
        /// The origins whose pages may use the server.
        public var origins: [String] = []
        /// The rates of requests by principal, or else by client address. A rate that is nil is not limited.
        public var rates = Rates()
        /// The quotas by principal, or else by client address. A quota that is nil is not limited.
        public var quotas = Quotas()
        /// The maximum number of verified tokens, and of verified cookies, that each loop remembers.
        public var cachedCredentials = 4096
        /// How principals appear in the log.
        public var auditedPrincipals = AuditedPrincipals.hash

        /// Creates a configuration in which nobody needs a principal.
        public init() {}
    }
}

extension Configuration.AccessControl {
    /// An issuer of JSON Web Tokens, with its own keys, algorithms and audiences.
    public struct TokenIssuer: Sendable, Equatable {
        /// The claim `iss` of its tokens.
        public var issuer: String
        /// The audiences of this server. A token needs one of them in its claim `aud`; if there are none, a token must not
        /// have the claim.
        public var audiences: [String]
        /// The algorithms of its tokens: `ES256`, `EdDSA`, `RS256`, `PS256`, `HS256`.
        public var algorithms: [String]
        /// The path of a JWK set or a PEM file with its keys, or the URL of its JWK set.
        public var keys: String
        /// The interval at which a URL is fetched again.
        public var refresh = Duration.seconds(600)
        /// The claim that identifies a principal.
        public var idClaim = "sub"
        /// The claims that a token needs, with their permitted values; if there are no values, every value is permitted.
        public var requiredClaims: [String: [String]] = [:]
        /// The permitted types of tokens (`typ`); if empty, every type is permitted.
        public var types: [String] = []
        /// Whether tokens need an expiry (`exp`).
        public var requiresExpiry = true

        /// Creates an issuer.
        public init(issuer: String, audiences: [String], algorithms: [String], keys: String) {
            self.issuer = issuer
            self.audiences = audiences
            self.algorithms = algorithms
            self.keys = keys
        }
    }

    /// The rates of requests.
    public struct Rates: Sendable, Equatable {
        /// The rate of inputs.
        public var inputs: Rate?
        /// The rate of new sessions.
        public var sessions: Rate?
        /// The rate of new streams.
        public var streams: Rate?
        /// The rate of tickets: issued, redeemed and revoked.
        public var tickets: Rate? = Rate(count: 600, window: .seconds(60))
        /// The rate of rejected credentials.
        public var rejectedCredentials: Rate? = Rate(count: 600, window: .seconds(60))
    }

    /// A number of requests in a time, which is also the size of a burst.
    public struct Rate: Sendable, Equatable {
        /// The number of requests.
        public var count: Int
        /// The time, in whole seconds.
        public var window: Duration

        /// Creates a rate.
        public init(count: Int, window: Duration) {
            self.count = count
            self.window = window
        }
    }

    /// The quotas of a principal or client address.
    public struct Quotas: Sendable, Equatable {
        /// The maximum number of sessions.
        public var sessions: Int?
        /// The maximum number of open streams.
        public var streams: Int?
        /// The maximum number of bytes of stored sessions.
        public var bytes: Int?
    }
}
