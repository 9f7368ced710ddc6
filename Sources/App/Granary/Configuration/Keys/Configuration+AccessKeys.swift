import Access
import HTTPModel

extension Configuration {
    static let accessKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "access.requires", \.access.requiresPrincipal, .boolean,
            "Whether requests without a principal or a ticket get 401. Health requests never need one."),
        ConfigurationKey(
            "access.jwt", \.access.tokenIssuers, .tokenIssuers,
            "The issuers of JSON Web Tokens. Each is an object with `issuer`, `audiences` (a list), `algorithms` (of ES256, "
                + "EdDSA, RS256, PS256, HS256) and `keys`: the path of a JWK set or a PEM file, or the URL of a JWK set. "
                + "Optional: `refresh` (the interval at which the URL is fetched, \"10m\"), `idClaim` (\"sub\"), "
                + "`requiredClaims` (an object of lists of permitted values; an empty list permits all), `types` (a "
                + "list), and `requiresExpiry` (true). The files are reloaded when they change and on SIGHUP."),
        ConfigurationKey(
            "access.jwtSkew", \.access.tokenSkew, .duration(in: .zero...Duration.seconds(600)),
            "The difference between the clocks of an issuer and the server that is accepted."),
        ConfigurationKey(
            "access.apiKeys", \.access.apiKeys, .text,
            "The file with the names and the digests of API keys. `keys new NAME` adds a key and prints it once. The file "
                + "is reloaded when it changes and on SIGHUP. Without a file, API keys are not accepted."),
        ConfigurationKey(
            "access.certificateID", \.access.certificateName, .choice,
            "The name in a client certificate that identifies its principal, if tls.clientIssuers is set."),
        ConfigurationKey(
            "access.proxyField", \.access.proxyField,
            .text(expecting: "the name of a field, such as \"X-Forwarded-User\", or an empty string") {
                $0.isEmpty || HTTPFieldName($0) != nil
            },
            "The field with which a proxy names the user whom it has authenticated. It is believed only from "
                + "http.trustedProxies, and removed from all other requests."),
        ConfigurationKey(
            "access.operators", \.access.operators,
            .list(
                expecting: "a list of \(OperatorSelector.expectation)"
            ) { OperatorSelector($0) != nil },
            "The principals who may use admin listeners that other machines can reach. Health requests, and listeners on "
                + "loopback addresses and Unix sockets, need no credentials. A claim is one of a token of any issuer in "
                + "access.jwt."),
        ConfigurationKey(
            "access.cookie", \.access.usesCookie, .boolean,
            "Whether a cookie identifies browsers, so that the sessions of a page survive a reload and belong to the page. "
                + "Only the creation of a session sets it."),
        ConfigurationKey(
            "access.cookieLifetime", \.access.cookieLifetime,
            .duration(in: .seconds(60)...CookieAuthority.maxLifetime),
            "The time after which a browser forgets the cookie. It is renewed after half of the time."),
        ConfigurationKey(
            "access.signingKeys", \.access.signingKeys, .text,
            "The file with the keys that sign cookies and tickets, one per line, the newest first: 32 random bytes as 64 "
                + "hexadecimal digits (`openssl rand -hex 32`) or in base64. All of them verify, so a key is replaced by a new "
                + "one before it. Only the owner may have access to the file. Without a file, one is created in the state "
                + "directory; without that, cookies and tickets end with the process."),
        ConfigurationKey(
            "access.identityKey", \.access.identityKey, .text,
            "The file with the key that identifies the owners of stored sessions, in the same form. If the key changes, "
                + "nobody has access to the sessions that exist. Without a file, one is created in the state directory."
        ),
        ConfigurationKey(
            "access.origins", \.access.origins,
            .list(
                expecting:
                    "a list of origins, such as \"https://app.example\" or \"https://*.app.example\" for one label"
            ) { OriginPattern($0) != nil },
            "The origins whose pages may use the server from a browser (CORS). The server's own page needs no entry."),
        ConfigurationKey(
            "access.cachedCredentials", \.access.cachedCredentials, .number(in: 1...1_000_000),
            "The number of verified tokens, and of verified cookies, that each loop remembers."),
        ConfigurationKey(
            "access.auditPrincipals", \.access.auditedPrincipals, .choice,
            "How principals appear in audit events of the log: as a keyed hash, or as method, issuer and id."),
    ]

    static let limitKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "rates.inputs", \.access.rates.inputs, .rate,
            "The rate of inputs of a principal, or else of a client, which is an IPv4 address or an IPv6 /64 network. "
                + "\"100/60s\" is 100 in 60 s, also as a burst. All loops together permit no more. Above the rate, requests "
                + "get 429. \"0\" disables the limit."
        ),
        ConfigurationKey(
            "rates.sessions", \.access.rates.sessions, .rate,
            "The rate of new sessions of a principal or client, in the same form."),
        ConfigurationKey(
            "rates.streams", \.access.rates.streams, .rate,
            "The rate of new streams of a principal or client, in the same form."),
        ConfigurationKey(
            "rates.tickets", \.access.rates.tickets, .rate,
            "The rate of tickets that a principal or client issues, redeems or revokes, in the same form."),
        ConfigurationKey(
            "rates.rejectedCredentials", \.access.rates.rejectedCredentials, .rate,
            "The rate of requests of a client whose credentials are rejected, in the same form. Above the rate, they get 429, "
                + "and so do tokens of the client's address that the server does not know yet."),
        ConfigurationKey(
            "quotas.sessions", \.access.quotas.sessions, .limit,
            "The maximum number of sessions of a principal or client, in memory or stored, also by earlier processes. Loopback "
                + "addresses and Unix sockets are not limited. Above the limit, new sessions get 429. 0 disables the limit."
        ),
        ConfigurationKey(
            "quotas.streams", \.access.quotas.streams, .limit,
            "The maximum number of open streams of a principal or client. 0 disables the limit."),
        ConfigurationKey(
            "quotas.bytes", \.access.quotas.bytes, .byteLimit,
            "The maximum size of the stored sessions of a principal or client, also of earlier processes. Above the limit, new "
                + "sessions and inputs get 429. \"0B\" disables the limit."),
    ]
}

extension ConfigurationFormat<Int?> {
    /// Sizes for which 0 means no limit.
    static var byteLimit: ConfigurationFormat {
        ConfigurationFormat<Int>.bytes(in: ByteCount(bytes: 0)...ByteCount.mebibytes(1 << 20)).mapped {
            $0 == 0 ? nil : $0
        } back: {
            $0 ?? 0
        }
    }
}

extension ConfigurationFormat<Configuration.AccessControl.Rate?> {
    /// Rates such as `100/60s`. `0` means no limit.
    static var rate: ConfigurationFormat {
        ConfigurationFormat(
            expectation: "a rate, such as \"100/60s\", of 1 to 1000000000 in 1s to 24h of whole seconds, or \"0\"",
            read: { input in
                switch input {
                case .text(let text), .json(.string(let text)): text == "0" ? .some(nil) : rate(text)
                case .json(.number(0)): .some(nil)
                case .json: nil
                }
            }, text: { text(of: $0) }, literal: { JSON5Text.quoted(text(of: $0)) })
    }

    private static func rate(_ text: String) -> Configuration.AccessControl.Rate?? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), ClosedRange.anyCount.contains(count),
            let window = Duration(text: String(parts[1])), window >= .seconds(1), window <= .seconds(86_400),
            window.smallestUnits % 1000 == 0
        else { return nil }
        return .some(Configuration.AccessControl.Rate(count: count, window: window))
    }

    private static func text(of rate: Configuration.AccessControl.Rate?) -> String {
        rate.map { "\($0.count)/\($0.window.text)" } ?? "0"
    }
}
