import HTTPModel

/// The hosts that requests of operators may name if they need no credentials, or credentials that browsers add by themselves.
///
/// A page of another site can give its own name the address of the server (DNS rebinding). It must not use the admin interface.
struct AdminHosts: Sendable {
    private let listed: Set<String>

    init(_ allowed: some Sequence<String>) {
        listed = Set(allowed.map { AdminHosts.normalized($0[...]) })
    }

    /// Returns whether a request may name an authority.
    func accepts(_ authority: String) -> Bool {
        if listed.contains("*") { return true }
        let host = AdminHosts.normalized(AdminHosts.host(of: authority))
        // Without a host: no browser sends such a request.
        return host.isEmpty || host == "localhost" || host.hasSuffix(".localhost") || NumericAddress(host) != nil
            || listed.contains(host)
    }

    /// The problem of a request that names another host.
    static func refusal(of authority: String) -> ProblemDetails {
        ProblemDetails(
            status: .misdirectedRequest, kind: "misdirected-request", title: "Misdirected request",
            detail:
                "Expected localhost, a numeric address or a name in http.allowedHosts, got \"\(authority.prefix(100))\": "
                + "a page of another site must not reach the admin interface.")
    }

    private static func host(of authority: String) -> Substring {
        if authority.hasPrefix("[") { return authority[...].prefix { $0 != "]" }.dropFirst() }
        return authority[...].prefix { $0 != ":" }
    }

    private static func normalized(_ host: Substring) -> String {
        if NumericAddress(String(host)) != nil { return String(host) }
        let host = host.hasPrefix("[") ? AdminHosts.host(of: String(host)) : host.prefix { $0 != ":" }
        return (host.hasSuffix(".") && host.utf8.count > 1 ? host.dropLast() : host).lowercased()
    }
}
