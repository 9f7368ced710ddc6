import HTTPModel

/// Decides which hosts (RFC 9110 §7.2) a server answers for: a value without I/O, made when its listeners are known.
struct HostPolicy {
    /// What applies to hosts of public requests that are not listed.
    private enum Unlisted {
        /// Any host is accepted.
        case any
        /// None is accepted.
        case none
        /// Numeric addresses and `localhost`: names that a page of somebody else cannot have.
        case addresses
        /// Loopback addresses and `localhost`.
        case loopback
    }

    /// Whether every host is accepted, on every listener.
    let acceptsAny: Bool
    private let listed: Set<String>
    private let unlisted: Unlisted
    private let unlistedByUnixSocket: Unlisted

    /// The policy of a server that has these listeners open.
    init(_ configuration: HTTPServerConfiguration, listeners: [HTTPListener]) {
        listed = Set(configuration.allowedHosts.map(HostPolicy.host(ofEntry:)))
        let elsewhere: Unlisted = listed.isEmpty ? .any : configuration.preventsRebinding ? .addresses : .none
        let isGuarded = configuration.preventsRebinding && HostPolicy.isLoopbackOnly(listeners)
        unlisted = isGuarded ? .loopback : elsewhere
        unlistedByUnixSocket = elsewhere
        acceptsAny = configuration.allowedHosts.contains("*") || listed.isEmpty && !isGuarded
    }

    /// Whether the server answers to a request for that authority. Neither its port nor its case matters.
    func accepts(_ authority: String, from peer: HTTPPeer) -> Bool {
        if acceptsAny { return true }
        let host = HostPolicy.normalized(ServerLoop.host(of: authority))
        if listed.contains(host) { return true }
        // A listener for operators is reached by its address, which no page of somebody else's can have as its name.
        if peer.role == .admin { return listed.isEmpty || host == "localhost" || NetworkAddress(host) != nil }
        switch peer.isByUnixSocket ? unlistedByUnixSocket : unlisted {
        case .any: return true
        case .none: return false
        // No browser sends a request without a host.
        case .addresses: return host.isEmpty || HostPolicy.isLocalhost(host) || NetworkAddress(host) != nil
        case .loopback: return host.isEmpty || HostPolicy.isLocalhost(host) || HostPolicy.isLoopback(host)
        }
    }

    /// The answer to a request for an authority that is not accepted.
    func refusal(of authority: String) -> ProblemDetails {
        let expected: String
        switch unlisted {
        case .loopback:
            expected = "localhost or a loopback address, because the server listens on loopback addresses only"
        case .addresses: expected = "a configured host name, a numeric address or localhost"
        case .any, .none: expected = "a configured host name"
        }
        let received = authority.isEmpty ? "no host" : "\"\(authority.prefix(100))\""
        return .misdirected(
            "Expected \(expected), got \(received). To serve another name, add it to http.allowedHosts in the server's "
                + "configuration.")
    }
}

extension HostPolicy {
    /// Whether all listeners that the public reaches by an address, at least one, are reached from this machine only. No
    /// browser reaches a Unix socket.
    private static func isLoopbackOnly(_ listeners: [HTTPListener]) -> Bool {
        var hosts: [String] = []
        for case .address(let host, _) in listeners.filter({ $0.role == .public }).map(\.place) { hosts.append(host) }
        return !hosts.isEmpty && hosts.allSatisfy(isLoopback)
    }

    private static func isLoopback(_ host: String) -> Bool { NetworkAddress(host)?.isLoopback == true }

    /// Whether this is `localhost` or a name under it, which resolvers keep on this machine (RFC 6761 §6.3).
    private static func isLocalhost(_ host: String) -> Bool { host == "localhost" || host.hasSuffix(".localhost") }

    /// The host of an entry of the configuration, which may be an IPv6 address without brackets.
    private static func host(ofEntry entry: String) -> String {
        normalized(NetworkAddress(entry) == nil ? ServerLoop.host(of: entry) : entry[...])
    }

    /// One spelling for all that name the same host: lower case, without the dot of a complete name and without brackets;
    /// an address as it is usually written.
    private static func normalized(_ host: Substring) -> String {
        var host = host
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.hasSuffix("."), host.utf8.count > 1 { host = host.dropLast() }
        let text = String(host)
        return NetworkAddress(text)?.text ?? text.lowercased()
    }
}

extension HTTPServerConfiguration {
    /// Whether a text can be an element of ``allowedHosts``: a host name, a numeric address, or `*`. A port is permitted and
    /// has no effect.
    public static func canAllow(host text: String) -> Bool {
        if text == "*" || NetworkAddress(text) != nil { return true }
        let host = ServerLoop.host(of: text)
        let port = text[host.endIndex...].dropFirst()
        guard port.isEmpty || UInt16(port) != nil else { return false }
        if host.hasPrefix("["), host.hasSuffix("]") {
            return NetworkAddress(String(host.dropFirst().dropLast())) != nil
        }
        return !host.isEmpty && host != "."
            && host.utf8.allSatisfy { ByteSet.host.contains($0) && $0 != UInt8(ascii: "*") }
    }
}
