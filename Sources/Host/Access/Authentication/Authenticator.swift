package import HTTPModel

/// Determines who requests come from. Create one for each event loop, and use it on that loop only.
///
/// Explicit credentials (`Authorization`, `?ticket=`) take precedence over ambient ones, which are, in order: the program's
/// own, the field of a trusted proxy, a client certificate, and the cookie.
package struct Authenticator {
    private let configuration: AccessConfiguration
    private var tokens: CredentialCache
    private var cookies: CredentialCache
    private var recent = RecentCredentials()
    private let digests = DigestFunction()
    /// Counts the rejected credentials of clients, for its owner; nil if they are not limited.
    private let rejections: RateTable?
    /// Stored, because they are checked for every request.
    private let hasMethods: Bool
    private let hasFieldlessMethods: Bool

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - configuration: The methods.
    ///   - rejections: What counts the rejected credentials of each client. While a client is over the rate, tokens of its
    ///     address are not verified, except those that were before. The owner of the authenticator counts them.
    package init(_ configuration: AccessConfiguration, rejections: RateTable? = nil) {
        self.configuration = configuration
        self.rejections = rejections
        hasMethods = configuration.hasMethods
        hasFieldlessMethods = configuration.hasFieldlessMethods
        tokens = CredentialCache(most: configuration.maxCached)
        cookies = CredentialCache(most: configuration.maxCached)
    }

    /// The number of credentials that are remembered.
    package var cachedCount: Int { tokens.count + cookies.count }
    /// The number of connections whose last credential is remembered.
    var recentCount: Int { recent.count }

    /// Returns who a request comes from. Uses its head only. Called once for each request, before it is routed.
    ///
    /// - Parameters:
    ///   - now: The wall time.
    ///   - clock: The time of the clock of rates.
    package mutating func authenticate(
        _ request: HTTPRequest, at now: UnixTime,
        clock: @autoclosure () -> MonotonicTime = MonotonicTime(nanoseconds: 0)
    ) -> Authentication {
        guard hasMethods else { return .anonymous }
        let found = CredentialFields(of: request.fields, proxyField: configuration.proxyField?.name)
        let tickets = ticketParameters(of: request)
        if found.isEmpty, tickets == nil, !hasFieldlessMethods { return .anonymous }
        guard found.authorizations + (tickets?.count ?? 0) <= 1 else { return .rejected(.conflicting) }
        if var ticket = tickets?.first {
            return ticket.withUTF8 { self.ticket(UnsafeRawBufferPointer($0), at: now).result ?? .anonymous }
        }
        if found.authorizations > 0, let explicit = explicit(request, found, at: now, clock()) { return explicit }
        return ambient(request, found, at: now)
    }

    /// Returns the values of the parameter for tickets; nil if the request has no query, or tickets are not accepted in it.
    private func ticketParameters(of request: HTTPRequest) -> [Substring]? {
        guard configuration.tickets != nil, request.method == .get, let query = request.query else { return nil }
        return TicketParameter.values(in: query)
    }
}

// Explicit credentials: those of the `Authorization` field.
extension Authenticator {
    /// Returns the result of the `Authorization` field; nil if it is for the program, or for nobody.
    private mutating func explicit(
        _ request: HTTPRequest, _ found: CredentialFields, at now: UnixTime,
        _ clock: @autoclosure () -> MonotonicTime
    ) -> Authentication? {
        request.fields.withValue(at: found.authorization) { value -> Authentication? in
            if let known = recent.authentication(of: value, from: request.peer, at: now) { return known }
            let (found, expires) = verified(value, request.peer, at: now, clock())
            if let found, let expires { recent.insert(value, from: request.peer, found, until: expires, at: now) }
            return found
        }
    }

    /// Returns the result of an `Authorization` field, and until when the same field has the same result; nil if it has none.
    private mutating func verified(
        _ value: UnsafeRawBufferPointer, _ peer: HTTPPeer, at now: UnixTime,
        _ clock: @autoclosure () -> MonotonicTime
    ) -> (result: Authentication?, expires: UnixTime?) {
        switch AuthorizationField(value) {
        case .bearer(let token) where configuration.tokens != nil: return self.token(token, peer, at: now, clock())
        case .apiKey(let key) where configuration.apiKeys != nil: return apiKey(key)
        case .ticket(let text) where configuration.tickets != nil: return ticket(text, at: now)
        default:
            // A server without any explicit method ignores the field, as servers do that know nothing about it.
            let isIgnored = configuration.host != nil || !configuration.hasExplicitMethods
            return (isIgnored ? nil : .rejected(.unsupportedScheme), nil)
        }
    }

    private mutating func token(
        _ text: UnsafeRawBufferPointer, _ peer: HTTPPeer, at now: UnixTime, _ clock: @autoclosure () -> MonotonicTime
    ) -> (result: Authentication?, expires: UnixTime?) {
        guard let verifier = configuration.tokens else { return (.anonymous, nil) }
        let digest = digests.digest(of: text)
        if let entry = tokens.entry(for: digest, at: now) {
            return (.principal(entry.principal, entry.hash), entry.expires)
        }
        // Before the verification, which costs more than everything else that the server does for a rejected request.
        if let rejections, rejections.refusal(of: LimitKeys(.anonymous, peer: peer), at: clock()) != nil {
            return (.limited, nil)
        }
        do throws(CredentialRejection) {
            let principal = try verifier.verify(text, at: now)
            let hash = configuration.hasher.hash(of: principal)
            let expires = principal.expires ?? .never
            tokens.insert(digest, principal, hash, until: expires)
            return (.principal(principal, hash), expires)
        } catch {
            return (.rejected(error), nil)
        }
    }

    private func apiKey(_ key: UnsafeRawBufferPointer) -> (result: Authentication?, expires: UnixTime?) {
        guard let owner = configuration.apiKeys?.owner(of: digests.digest(of: key)) else {
            return (.rejected(.unknownAPIKey), nil)
        }
        return (.principal(owner.principal, owner.hash), .never)
    }

    private func ticket(
        _ text: UnsafeRawBufferPointer, at now: UnixTime
    ) -> (result: Authentication?, expires: UnixTime?) {
        guard let authority = configuration.tickets else { return (.anonymous, nil) }
        do throws(CredentialRejection) {
            let ticket = try authority.ticket(text, at: now)
            return (.ticket(ticket), ticket.expires)
        } catch {
            return (.rejected(error), nil)
        }
    }
}

// Ambient credentials: the proxy's field, the certificate, the cookie, and those that the program finds.
extension Authenticator {
    private mutating func ambient(
        _ request: HTTPRequest, _ found: CredentialFields, at now: UnixTime
    ) -> Authentication {
        let others = transmitted(request, found, at: now)
        guard let host = configuration.host else { return others }
        let hasher = configuration.hasher
        switch host.body {
        case .now(let body): return Authenticator.result(body(request), of: host.name, hasher, others, at: now)
        case .later(let body, let timeout):
            let name = host.name
            return .undecided(
                PendingAuthentication(timeout: timeout) {
                    Authenticator.result(await body(request), of: name, hasher, others, at: now)
                })
        }
    }

    private static func result(
        _ credential: HostCredential, of name: String, _ hasher: PrincipalHasher, _ others: Authentication,
        at now: UnixTime
    ) -> Authentication {
        switch credential {
        case .none: return others
        case .rejected(let reason): return .rejected(.byHost(reason))
        case .principal(let id, let claims, let expires):
            guard !id.isEmpty else { return .rejected(.byHost("The credential names nobody.")) }
            if let expires, expires <= now { return .rejected(.expired) }
            let principal = Principal(method: .host, issuer: name, id: id, claims: claims, expires: expires)
            return .principal(principal, hasher.hash(of: principal))
        }
    }

    /// Returns the result of the proxy's field, the certificate or the cookie.
    private mutating func transmitted(
        _ request: HTTPRequest, _ found: CredentialFields, at now: UnixTime
    ) -> Authentication {
        if found.hasProxyField, let field = configuration.proxyField {
            do throws(CredentialRejection) {
                // Before the certificate, which is the proxy's own.
                if let principal = try field.principal(of: request) { return authentication(of: principal) }
            } catch {
                return .rejected(error)
            }
        }
        if let principal = configuration.certificates?.principal(of: request.peer) {
            return authentication(of: principal)
        }
        return found.hasCookies ? cookie(request, at: now) : .anonymous
    }

    private func authentication(of principal: Principal) -> Authentication {
        .principal(principal, configuration.hasher.hash(of: principal))
    }

    private mutating func cookie(_ request: HTTPRequest, at now: UnixTime) -> Authentication {
        guard let authority = configuration.cookies else { return .anonymous }
        let name = CookieAuthority.name(isSecure: request.isSecure)
        let search = CookieField.find(name, in: request.fields) { text -> Authentication in
            let digest = digests.digest(of: text)
            if let entry = cookies.entry(for: digest, at: now) { return .principal(entry.principal, entry.hash) }
            // A cookie that is no longer valid is not an error: a browser cannot do anything about it.
            guard let (reading, end) = authority.verified(text, at: now) else { return .anonymous }
            let hash = configuration.hasher.hash(of: reading.principal)
            cookies.insert(digest, reading.principal, hash, until: end)
            return .principal(reading.principal, hash)
        }
        if case .one(let authentication) = search { return authentication }
        return .anonymous
    }
}

extension Authenticator {
    /// Returns when a browser without credentials returns a cookie that it gets with a new session; `never` if none is issued.
    package func cookieReturn(of request: HTTPRequest) -> CookieReturn {
        configuration.cookies == nil ? .never : CookieReturn(of: request)
    }

    /// Returns the principal of a browser's first cookie with its hash, and the `Set-Cookie` field of the response; nil if no cookie is
    /// issued.
    ///
    /// - Parameter id: The 16 random bytes that identify the principal; nil for new ones.
    package func firstCookie(
        _ request: HTTPRequest, id: [UInt8]? = nil, at now: UnixTime
    ) -> (principal: Principal, hash: PrincipalHash, field: HTTPFieldValue)? {
        guard let authority = configuration.cookies else { return nil }
        let principal = id.map { authority.principal(id: $0) } ?? authority.newPrincipal()
        guard let field = authority.cookie(for: principal, isSecure: request.isSecure, at: now) else { return nil }
        return (principal, configuration.hasher.hash(of: principal), field)
    }

    /// Returns the `Set-Cookie` field that the response to a request for a new session renews its cookie with; nil if the cookie is
    /// not old, or the request is authenticated otherwise.
    package func renewedCookie(
        _ request: HTTPRequest, _ authentication: Authentication, at now: UnixTime
    ) -> HTTPFieldValue? {
        guard let authority = configuration.cookies, case .principal(let known, _) = authentication,
            known.method == .cookie
        else { return nil }
        let name = CookieAuthority.name(isSecure: request.isSecure)
        let search = CookieField.find(name, in: request.fields) {
            authority.reading(of: $0, at: now)?.needsRenewal ?? false
        }
        guard case .one(true) = search else { return nil }
        return authority.cookie(for: known, isSecure: request.isSecure, at: now)
    }
}

extension HTTPRequest {
    /// Whether the client has sent the request over TLS.
    var isSecure: Bool { scheme == "https" }
}
