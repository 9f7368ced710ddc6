import Access
import HTTPModel
import HTTPServer
import MachineHost

/// The access control of a configuration, without the keys that can change.
struct AccessPlan: Sendable {
    /// The names of the files that the server creates in its state directory.
    static let signingFile = "signing.keys"
    static let identityFile = "identity.key"
    /// The configuration keys that name other files.
    static let signingKey = "access.signingKeys"
    static let identityKey = "access.identityKey"

    private let configuration: Configuration.AccessControl
    private let hasCertificates: Bool
    private let host: HostAuthenticator?
    /// An admin listener that other machines can reach, if it has anything that requires an operator.
    private let exposedAdminListener: HTTPListener?

    /// Creates the plan of a configuration and the authentication of a program.
    init(_ configuration: Configuration, host: HostAuthenticator? = nil) {
        self.configuration = configuration.access
        hasCertificates = !configuration.tls.clientIssuers.isEmpty
        self.host = host
        let listeners = configuration.server.listeners
        exposedAdminListener = HostExposure.adminListeners(among: listeners, of: configuration).first
    }

    /// Whether there is any method by which a client can get a principal.
    var hasMethods: Bool { keepsStrangersOut || configuration.usesCookie }

    /// Whether there is a method besides the cookie, which every browser gets.
    var keepsStrangersOut: Bool {
        host != nil || hasCertificates || !configuration.tokenIssuers.isEmpty || !configuration.apiKeys.isEmpty
            || !configuration.proxyField.isEmpty
    }

    /// Resolves the clients of trusted proxies; nil if no proxy is trusted.
    var forwarding: ForwardedClient? {
        let proxies = configuration.trustedProxies
        return proxies.isEmpty
            ? nil
            : ForwardedClient(
                TrustedProxies(proxies), in: configuration.clientField, user: HTTPFieldName(configuration.proxyField))
    }

    /// Throws if keys of the configuration contradict each other.
    func check() throws(OperatorError) {
        if configuration.requiresPrincipal, !keepsStrangersOut {
            throw OperatorError(
                "access.requires: expected a method of authentication (access.jwt, access.apiKeys, access.proxyField, or "
                    + "tls.clientIssuers), got \(configuration.usesCookie ? "only access.cookie" : "none"): nobody could use "
                    + "the server")
        }
        if !configuration.proxyField.isEmpty, configuration.trustedProxies.isEmpty {
            throw OperatorError(
                "access.proxyField: expected the proxies that may send it in http.trustedProxies, got none")
        }
        try checkOperators()
    }

    private func checkOperators() throws(OperatorError) {
        for text in configuration.operators {
            guard let selector = OperatorSelector(text) else {
                throw OperatorError(
                    "access.operators: expected \(OperatorSelector.expectation), got \"\(text.prefix(80))\"")
            }
            guard let key = missingKey(of: selector.method) else { continue }
            throw OperatorError(
                "access.operators: expected a value of \(key) for \"\(text.prefix(80))\", got none: nobody could be this "
                    + "operator")
        }
        if configuration.operators.isEmpty, let listener = exposedAdminListener {
            throw OperatorError(
                "access.operators: expected an operator, such as \"apiKey:prometheus\", got none: other machines can reach "
                    + "\(listener). Or give it a loopback address or a Unix socket, or set both http.metrics and http.admin to "
                    + "false")
        }
    }

    /// Returns the configuration key that a method of authentication needs and does not have; nil if it is available.
    private func missingKey(of method: Principal.Method) -> String? {
        switch method {
        case .token: configuration.tokenIssuers.isEmpty ? "access.jwt" : nil
        case .apiKey: configuration.apiKeys.isEmpty ? "access.apiKeys" : nil
        case .certificate: hasCertificates ? nil : "tls.clientIssuers"
        case .proxy: configuration.proxyField.isEmpty ? "access.proxyField" : nil
        case .cookie, .host: nil
        }
    }

    /// Returns the access control of a host.
    ///
    /// - Parameter hasher: Computes the hashes of principals.
    func access(_ keys: AccessKeys, _ hasher: PrincipalHasher) -> HostAccess {
        var access = HostAccess()
        access.requiresPrincipal = configuration.requiresPrincipal
        access.authentication = hasMethods ? authentication(keys, hasher) : nil
        let origins = configuration.origins.compactMap { OriginPattern($0) }
        access.cors = origins.isEmpty ? nil : CORSPolicy(origins, usesCookies: configuration.usesCookie)
        access.rates.inputs = limit("inputs", configuration.rates.inputs)
        access.rates.creations = limit("sessions", configuration.rates.sessions)
        access.rates.streams = limit("streams", configuration.rates.streams)
        // Only with a method: a server without any looks at no credentials, and has no tickets.
        if hasMethods {
            access.rates.tickets = limit("tickets", configuration.rates.tickets)
            access.rates.rejections = limit("rejected-credentials", configuration.rates.rejectedCredentials)
        }
        access.quotas = QuotaTable.Limits(
            sessions: configuration.quotas.sessions, streams: configuration.quotas.streams,
            bytes: configuration.quotas.bytes)
        // Without any of this there is nothing to audit, and requests need no check.
        let isUsed = access.authentication != nil || access.cors != nil || hasLimits
        if isUsed { access.audit = configuration.auditedPrincipals == .id ? .id : .hash }
        return access
    }

    private var hasLimits: Bool {
        configuration.rates != Configuration.AccessControl.Rates()
            || configuration.quotas != Configuration.AccessControl.Quotas()
    }

    private func authentication(_ keys: AccessKeys, _ hasher: PrincipalHasher) -> AccessConfiguration {
        var access = AccessConfiguration(hasher: hasher)
        access.tokens = keys.verifier
        access.apiKeys = keys.apiKeys.map { APIKeys($0, hasher: hasher) }
        access.tickets = keys.signing.map { TicketAuthority(keys: $0) }
        if configuration.usesCookie {
            access.cookies = keys.signing.map { CookieAuthority(keys: $0, lifetime: configuration.cookieLifetime) }
        }
        access.certificates =
            hasCertificates ? CertificateIdentity(rawValue: configuration.certificateName.rawValue) : nil
        access.proxyField = HTTPFieldName(configuration.proxyField).map {
            ProxyField(name: $0, proxies: TrustedProxies(configuration.trustedProxies))
        }
        access.host = host
        access.maxCached = configuration.cachedCredentials
        return access
    }

    private func limit(_ name: String, _ rate: Configuration.AccessControl.Rate?) -> RateLimit? {
        rate.map { RateLimit(name, quota: $0.count, window: $0.window) }
    }
}
