import Access
import HTTPModel
import HTTPServer

/// A check for probable oversights in the configuration of a server for the network.
struct ExposureCheck {
    private let configuration: Configuration
    private let keepsStrangersOut: Bool

    /// Creates the check of a configuration and the authentication of a program.
    init(_ configuration: Configuration, authenticator: HostAuthenticator? = nil) {
        self.configuration = configuration
        keepsStrangersOut = AccessPlan(configuration, host: authenticator).keepsStrangersOut
    }

    /// The warnings, one sentence each.
    var warnings: [String] {
        let exposed = HostExposure.listeners(of: configuration).filter { HostExposure.isExposed($0) }
        var warnings = adminWarnings + proxyWarnings
        guard let first = exposed.first else { return warnings }
        if !keepsStrangersOut, !hasProxy {
            warnings.append(
                "everyone who can connect to \(first) can create sessions: no method of authentication is configured "
                    + "(access.jwt, access.apiKeys, tls.clientIssuers), and no proxy in front (http.trustedProxies, http.proxies)"
            )
        }
        if let plain = exposed.first(where: { !$0.isSecure }), !hasProxy, !configuration.tls.redirectsCleartext {
            warnings.append(
                "everyone on the way to \(plain) can read credentials and the ids of sessions: it is without TLS "
                    + "(tls.certificates), and no proxy in front is configured (http.trustedProxies, http.proxies)")
        }
        if configuration.server.allowedHosts.isEmpty, !configuration.tls.isEnabled {
            warnings.append(HostExposure.anyHost)
        }
        return warnings
    }

    private var adminWarnings: [String] {
        let listeners = HostExposure.adminListeners(
            among: HostExposure.listeners(of: configuration), of: configuration)
        guard !hasProxy, let plain = listeners.first(where: { !$0.isSecure }) else { return [] }
        return [
            "everyone on the way to \(plain) can read what it serves and the credentials of operators: it is without TLS "
                + "(admin+https)"
        ]
    }

    /// The warnings about `http.trustedProxies` and `http.clientField`.
    private var proxyWarnings: [String] {
        let (proxies, field) = (configuration.access.trustedProxies, configuration.access.clientField.rawValue)
        if let all = proxies.first(where: \.containsAllClients) {
            return [
                "every client is a trusted proxy (\(all) in http.trustedProxies), so it chooses its address with the field "
                    + "\(field), and its user with access.proxyField"
            ]
        }
        guard proxies.isEmpty, configuration.access.clientField != .xForwardedFor else { return [] }
        return ["the field \(field) (http.clientField) is not read, because http.trustedProxies is empty"]
    }

    private var hasProxy: Bool {
        !configuration.access.trustedProxies.isEmpty || !configuration.server.proxies.isEmpty
    }
}

/// A check of the hosts that the listeners of a server accept.
enum HostExposure {
    /// The warning about a server that accepts every host.
    static let anyHost =
        "requests may name any host, so pages of other sites can reach this server with names of their own (DNS "
        + "rebinding): list the names of the server in http.allowedHosts"

    /// Returns the warnings for the text at the start.
    static func warnings(_ configuration: Configuration, tls: ServedTLS?, listeners: [HTTPListener]) -> [String] {
        let acceptsAny = configuration.server.allowedHosts.isEmpty && tls?.hasNames != true
        var warnings = acceptsAny && listeners.contains(where: isExposed) ? [anyHost] : []
        // Only a supervisor's socket can be such a listener: any other keeps the server from starting.
        if configuration.access.operators.isEmpty,
            let listener = adminListeners(among: listeners, of: configuration).first
        {
            warnings.append("nobody can use \(listener) as an operator, because access.operators is empty")
        }
        return warnings
    }

    /// Returns the admin listeners that other machines can reach, if they serve anything that requires an operator.
    static func adminListeners(
        among listeners: [HTTPListener], of configuration: Configuration
    ) -> [HTTPListener] {
        guard configuration.servesMetrics || configuration.servesAdmin else { return [] }
        return listeners.filter { $0.role == .admin && !$0.isLocal }
    }

    static func listeners(of configuration: Configuration) -> [HTTPListener] {
        let server = configuration.server
        guard server.listeners.isEmpty else { return server.listeners }
        let plain = HTTPListener(.address(host: server.host, port: server.port))
        guard configuration.tls.isEnabled else { return [plain] }
        let secure = HTTPListener(
            .address(host: server.host, port: UInt16(clamping: configuration.tls.port)), isSecure: true)
        return [plain, secure]
    }

    /// Returns whether a listener is public and reachable from other machines.
    static func isExposed(_ listener: HTTPListener) -> Bool {
        listener.role == .public && !listener.isLocal
    }
}

extension AddressRange {
    /// Whether the range contains all IPv4 addresses, or all IPv6 addresses.
    fileprivate var containsAllClients: Bool {
        contains("0.0.0.0") && contains("255.255.255.255")
            || contains("::") && contains("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")
    }
}
