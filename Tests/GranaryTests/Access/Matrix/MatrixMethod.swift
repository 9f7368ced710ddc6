import Access

/// The methods of authentication.
enum MatrixMethod: Hashable, CaseIterable, CustomStringConvertible {
    case none
    case token(TokenAlgorithm)
    case apiKey
    case certificate
    case proxyField
    case cookie
    case ticket
    case program

    static let allCases: [MatrixMethod] =
        [.none, .apiKey, .certificate, .proxyField, .cookie, .ticket, .program]
        + [TokenAlgorithm.es256, .edDSA, .rs256, .ps256, .hs256].map { .token($0) }

    var description: String {
        switch self {
        case .none: "no method"
        case .token(let algorithm): "token \(algorithm.rawValue)"
        case .apiKey: "API key"
        case .certificate: "client certificate"
        case .proxyField: "proxy field"
        case .cookie: "cookie"
        case .ticket: "ticket"
        case .program: "program"
        }
    }
}

/// Credentials with which a client sends all requests of the matrix, and who the server must take it for.
struct MatrixPresentation {
    var name: String
    var identity: MatrixIdentity
    var fields: MatrixClient.Fields = []
    /// The name of the client certificate; nil for none.
    var certificate: String?
    /// Whether the client is a browser.
    var isBrowser = false

    /// Returns credentials that browsers add by themselves, in a request of the server's own page.
    static func ambient(
        _ name: String, _ identity: MatrixIdentity, _ fields: MatrixClient.Fields, certificate: String? = nil
    ) -> MatrixPresentation {
        MatrixPresentation(
            name: name, identity: identity, fields: fields + [("sec-fetch-site", "same-origin")],
            certificate: certificate)
    }

    static func explicit(_ name: String, _ identity: MatrixIdentity, _ value: String) -> MatrixPresentation {
        MatrixPresentation(name: name, identity: identity, fields: [("authorization", value)])
    }
}

extension MatrixMethod {
    /// Whether a server authenticates with the method.
    func isAvailable(in setting: MatrixServer.Setting) -> Bool {
        switch self {
        // Everyone needs a principal.
        case .none: !setting.requiresPrincipal
        default: true
        }
    }

    /// Returns the credentials of the principal who creates the session.
    func owner(of server: MatrixServer, _ setting: MatrixServer.Setting) throws -> MatrixPresentation {
        switch self {
        case .none: MatrixPresentation(name: "nobody", identity: .anonymous)
        case .token(let algorithm):
            .explicit("own", .owner, "Bearer \(TokenSigner.all[algorithm]?.token("ada") ?? "")")
        case .apiKey, .ticket: .explicit("own", .owner, "ApiKey \(server.adaKey)")
        // A trusted proxy's certificate is not that of its clients.
        case .certificate where setting.trustsLoopback: .explicit("own", .owner, "ApiKey \(server.adaKey)")
        case .certificate: .ambient("own", .owner, [], certificate: "ada")
        // Without a trusted proxy, nobody is named.
        case .proxyField where !setting.trustsLoopback: .explicit("own", .owner, "ApiKey \(server.adaKey)")
        case .proxyField: .ambient("own", .owner, [("x-forwarded-user", "ada")])
        case .cookie: .ambient("own", .owner, [("cookie", try server.cookie("ada"))])
        case .program: .ambient("own", .owner, [("x-user", "ada")])
        }
    }

    /// Returns the credentials {own, other's, none, expired, forged, replayed}, as far as the method has them.
    ///
    /// - Parameter session: The path of the session.
    func presentations(
        of server: MatrixServer, _ setting: MatrixServer.Setting, session: String
    ) throws -> [MatrixPresentation] {
        let own = try owner(of: server, setting)
        var none = MatrixPresentation(name: "none", identity: .anonymous)
        none.isBrowser = self == .cookie
        if none.isBrowser { none.fields = [("sec-fetch-site", "same-origin")] }
        switch self {
        case .none:
            return [
                own, .explicit("other's", .stranger, "ApiKey \(server.bobKey)"),
                .explicit("forged", .rejected("unknown-api-key"), "ApiKey \(server.oldKey)"),
            ]
        case .token(let algorithm): return [own, none] + tokens(algorithm)
        case .apiKey:
            return [
                own, .explicit("other's", .stranger, "ApiKey \(server.bobKey)"), none,
                .explicit("expired", .rejected("unknown-api-key"), "ApiKey \(server.oldKey)"),
                .explicit(
                    "forged", .rejected("unknown-api-key"),
                    "ApiKey granary_\(String(server.adaKey.dropFirst(8).reversed()))"),
                .explicit("replayed", .owner, "Bearer \(server.adaKey)"),
            ]
        case .certificate where setting.trustsLoopback:
            return [
                .ambient("the proxy's", .anonymous, [], certificate: "ada"),
                .ambient("the proxy's for nobody", .anonymous, [("x-forwarded-user", "")], certificate: "ada"),
                .ambient("the proxy's for ada", .anonymous, [("x-forwarded-for", "192.0.2.7")], certificate: "ada"),
            ]
        case .certificate: return [own, .ambient("other's", .stranger, [], certificate: "bob"), none]
        case .proxyField where !setting.trustsLoopback:
            return [MatrixPresentation(name: "forged", identity: .anonymous, fields: [("x-forwarded-user", "ada")])]
        case .proxyField: return [own, .ambient("other's", .stranger, [("x-forwarded-user", "bob")]), none]
        case .cookie: return [own, none] + (try cookies(server))
        case .ticket: return [none] + (try tickets(server, session))
        case .program:
            return [
                own, .ambient("other's", .stranger, [("x-user", "bob")]), none,
                .ambient("expired", .rejected("expired"), [("x-user", "expired")]),
                .ambient("forged", .rejected("host-defined"), [("x-user", "forged")]), own,
            ]
        }
    }

    private func tokens(_ algorithm: TokenAlgorithm) -> [MatrixPresentation] {
        guard let signer = TokenSigner.all[algorithm] else { return [] }
        let other = TokenAlgorithm.allCases.first { $0 != algorithm }.flatMap { TokenSigner.all[$0] }
        let valid = signer.token("ada")
        let forged = valid.split(separator: ".").prefix(2).joined(separator: ".")
        let signature = signer.token("bob").split(separator: ".").last ?? ""
        return [
            .explicit("other's", .stranger, "Bearer \(signer.token("bob"))"),
            // The same subject of another issuer.
            .explicit("another issuer's", .stranger, "Bearer \(other?.token("ada") ?? "")"),
            .explicit("expired", .rejected("expired"), "Bearer \(signer.token("ada", until: 1_000_000_000))"),
            .explicit("forged", .rejected("signature"), "Bearer \(forged).\(signature)"),
            .explicit("replayed", .owner, "bearer  \(valid)"),
        ]
    }

    private func cookies(_ server: MatrixServer) throws -> [MatrixPresentation] {
        let old = try server.cookie("ada", at: UnixTime(seconds: 1_000_000_000))
        var presentations: [MatrixPresentation] = [
            .ambient("other's", .stranger, [("cookie", try server.cookie("bob"))]),
            // Not an error: a browser cannot do anything about it.
            .ambient("expired", .anonymous, [("cookie", old)]),
            .ambient("forged", .anonymous, [("cookie", try server.cookie("ada", by: server.otherCookies))]),
            // A page of a subdomain can add a cookie.
            .ambient(
                "twice", .anonymous, [("cookie", try server.cookie("ada")), ("cookie", try server.cookie("ada"))]),
        ]
        for index in presentations.indices { presentations[index].isBrowser = true }
        return presentations + [.ambient("replayed", .owner, [("cookie", "a=b; \(try server.cookie("ada")); c=d")])]
    }

    private func tickets(_ server: MatrixServer, _ session: String) throws -> [MatrixPresentation] {
        let other = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"
        let old = try server.ticket(for: session, until: 1_000_000_000)
        let forged = try server.ticket(for: session, by: server.otherTickets)
        let revoked = try server.ticket(for: session, generation: 7)
        return [
            .explicit("own", .holder, "Ticket \(try server.ticket(for: session))"),
            .explicit("other's", .otherHolder, "Ticket \(try server.ticket(for: other))"),
            .explicit("expired", .rejected("expired"), "Ticket \(old)"),
            .explicit("forged", .rejected("unknown-ticket"), "Ticket \(forged)"),
            .explicit("revoked", .revokedHolder, "Ticket \(revoked)"),
            .explicit("replayed", .usedHolder, "Ticket \(try server.ticket(for: session, uses: 1))"),
        ]
    }
}
