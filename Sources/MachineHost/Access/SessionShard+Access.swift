import Access
public import HTTPModel

// The first stages of a request, if access control is configured.
extension SessionShard {
    /// The wall time, at which credentials are checked.
    // Not that of the loop, which does not advance while the system sleeps: a token would be valid for too long.
    var credentialTime: UnixTime {
        UnixTime(milliseconds: host.wallClock().sinceBeginning / 1_000_000)
    }

    /// Adds the fields for pages of other origins.
    public func addPolicyFields(to response: inout HTTPResponse, for fields: HTTPFields, from peer: HTTPPeer) {
        access.configuration.cors?.addFields(to: &response.fields, for: fields)
    }

    /// Determines who a request comes from. Returns an answer if that takes time.
    func authenticate(_ request: HTTPRequest, _ context: inout RequestContext) -> HTTPAnswer? {
        // A load balancer has no credentials, and must not be misled by those that it passes on.
        guard !context.route.isHealth else { return nil }
        // Not with `??`, which copies the result once more for each request.
        context.authentication = access.authenticator?.authenticate(request, at: credentialTime, clock: loop.now)
        if context.authentication == nil { context.authentication = .anonymous }
        let line = connectionLine(of: request, context.route)
        if case .undecided(let pending)? = context.authentication { return decide(pending, line, request, context) }
        guard let line, pending.contains(line) else { return nil }
        let waiting = PendingRequest(request, context, resumingAt: .admit)
        wait(waiting, for: line)
        return .deferred(waiting.promise)
    }

    /// Refuses a request whose credentials are rejected or missing. Returns an answer if too many were rejected.
    func admit(_ request: HTTPRequest, _ context: inout RequestContext) throws(ProblemDetails) -> HTTPAnswer? {
        guard let authentication = context.authentication.take() else { return nil }
        if let refusal = refusal(of: request, context, authentication) { return refusal }
        context.requester = try admitted(request, authentication)
        // Before a cookie is issued: every browser gets one, so that it would admit everybody.
        if access.configuration.requiresPrincipal, context.requester.isAnonymous { throw .credentialsRequired }
        if request.method == .post, case .sessions = context.route {
            context.cookie = access.authenticator?.renewedCookie(request, authentication, at: credentialTime)
        }
        return nil
    }

    /// Returns the requester of a request with accepted credentials, or with none.
    private func admitted(
        _ request: HTTPRequest, _ authentication: Authentication
    ) throws(ProblemDetails) -> Requester {
        // Checked first, because most credentials are not ambient and the policy is copied.
        if authentication.isAmbient,
            let problem = CrossSiteCheck.problem(
                of: request, isAmbient: true, policy: access.configuration.cors ?? SessionShard.noOrigins)
        {
            throw problem
        }
        switch authentication {
        case .anonymous: return .anonymous
        case .principal(let principal, let hash): return .principal(principal, hash)
        case .ticket(let ticket): return .ticket(ticket)
        case .rejected(let rejection):
            audit(.credentialsRejected(rejection), peer: request.peer)
            if let issuer = rejection.issuerOfUnknownKey { access.configuration.unknownKey?(issuer) }
            throw rejection.problem
        case .limited: throw .unavailable("too many credentials of the client were rejected", retryAfter: 1)
        case .undecided: throw .credentialsRequired
        }
    }

    private static let noOrigins = CORSPolicy([], usesCookies: false)

    /// Logs an event, unless audit events are disabled.
    func audit(
        _ kind: AuditEvent.Kind, by requester: Requester? = nil, session: SessionID? = nil, peer: HTTPPeer? = nil
    ) {
        guard let form = access.configuration.audit else { return }
        AuditEvent(kind, by: requester, sessionHash: session?.hash, client: peer?.address)
            .write(to: host.log, principals: form)
    }
}
