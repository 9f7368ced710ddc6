import HTTPModel
import TLS

/// The hosts (RFC 9110 §7.2) for which a server accepts requests. A value without I/O, created when the listeners are
/// known.
struct HostPolicy {
    /// The hosts that public requests may name in addition to the configured ones.
    private enum Unlisted {
        case any
        case none
        /// Numeric addresses, `localhost`, and the names of the certificates. DNS rebinding cannot give a page of another site such an origin.
        case addresses
        /// Loopback addresses and `localhost`.
        case loopback
    }

    let acceptsAny: Bool
    private let listed: Set<String>
    private let unlisted: Unlisted
    private let unlistedByUnixSocket: Unlisted
    /// The source of the certificates whose names are accepted, and a copy of what it had; nil if their names do not count.
    private let certificates: TLSContextSource?
    private var context: TLSContext?
    private var generation = 0

    init(_ configuration: HTTPServerConfiguration, listeners: [HTTPListener]) {
        // An entry may be an IPv6 address without brackets.
        listed = Set(
            configuration.allowedHosts.map {
                HostPolicy.normalized(NumericAddress($0) == nil ? ServerLoop.host(of: $0) : $0[...])
            })
        let isGuarded = configuration.preventsRebinding && HostPolicy.isLoopbackOnly(listeners)
        let source = configuration.preventsRebinding && !isGuarded ? configuration.tls?.source : nil
        certificates = source?.current.hasHostNames == true ? source : nil
        let restricted: Unlisted = configuration.preventsRebinding ? .addresses : .none
        unlisted = isGuarded ? .loopback : listed.isEmpty && certificates == nil ? .any : restricted
        unlistedByUnixSocket = listed.isEmpty ? .any : restricted
        acceptsAny =
            configuration.allowedHosts.contains("*") || listed.isEmpty && !isGuarded && certificates == nil
        update()
    }

    /// Whether the certificates were replaced since the last update. Checked for each request, so it takes no lock.
    var isOutdated: Bool { certificates.map { $0.generation != generation } ?? false }

    /// Uses the names of the present certificates.
    mutating func update() {
        guard let certificates else { return }
        // In this order: a replacement in between is found by the next check.
        generation = certificates.generation
        context = certificates.current
    }

    /// Returns whether the server accepts a request for an authority. Port and case are ignored.
    func accepts(_ authority: String, from peer: HTTPPeer) -> Bool {
        if acceptsAny { return true }
        let host = HostPolicy.normalized(ServerLoop.host(of: authority))
        if listed.contains(host) { return true }
        // Operators reach their listener by its address, which DNS rebinding cannot imitate.
        if peer.role == .admin { return listed.isEmpty || host == "localhost" || NumericAddress(host) != nil }
        switch peer.isByUnixSocket ? unlistedByUnixSocket : unlisted {
        case .any: return true
        case .none: return false
        // HTTP/1.0 clients and load balancers send requests without a host. Browsers never do, so a page of another
        // site cannot.
        case .addresses:
            return host.isEmpty || HostPolicy.isLocalhost(host) || NumericAddress(host) != nil
                || context?.isFor(host) == true
        case .loopback: return host.isEmpty || HostPolicy.isLocalhost(host) || HostPolicy.isLoopback(host)
        }
    }

    /// Returns the problem for a request whose authority is not accepted.
    func refusal(of authority: String) -> ProblemDetails {
        let expected: String
        switch unlisted {
        case .loopback:
            expected = "localhost or a loopback address, because the server listens on loopback addresses only"
        case .addresses where certificates != nil:
            expected = "a configured host name, a name of the server's certificates, a numeric address or localhost"
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
    /// Returns whether there are public listeners with an address, and all of them are reachable only from this
    /// machine.
    private static func isLoopbackOnly(_ listeners: [HTTPListener]) -> Bool {
        // Unix sockets do not count: no browser reaches one.
        var hosts: [String] = []
        for case .address(let host, _) in listeners.filter({ $0.role == .public }).map(\.place) { hosts.append(host) }
        return !hosts.isEmpty && hosts.allSatisfy(isLoopback)
    }

    private static func isLoopback(_ host: String) -> Bool { NumericAddress(host)?.isLoopback == true }

    /// Returns whether this is `localhost` or a name below it, which resolve to this machine (RFC 6761 §6.3).
    private static func isLocalhost(_ host: String) -> Bool { host == "localhost" || host.hasSuffix(".localhost") }

    /// Returns the spelling by which equal hosts are compared: in lower case, without brackets and without the final dot of a
    /// fully qualified name. Addresses have their canonical form.
    private static func normalized(_ host: Substring) -> String {
        var host = host
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.hasSuffix("."), host.utf8.count > 1 { host = host.dropLast() }
        let text = String(host)
        return NumericAddress(text)?.text ?? text.lowercased()
    }
}

extension HTTPServerConfiguration {
    /// Returns whether a text is valid as an element of ``allowedHosts``: a host name, a numeric address, or `*`. A port is
    /// permitted and has no effect.
    public static func canAllow(host text: String) -> Bool {
        if text == "*" || NumericAddress(text) != nil { return true }
        let host = ServerLoop.host(of: text)
        let port = text[host.endIndex...].dropFirst()
        guard port.isEmpty || UInt16(port) != nil else { return false }
        if host.hasPrefix("["), host.hasSuffix("]") {
            return NumericAddress(String(host.dropFirst().dropLast())) != nil
        }
        return !host.isEmpty && host != "."
            && host.utf8.allSatisfy { ByteSet.host.contains($0) && $0 != UInt8(ascii: "*") }
    }
}
