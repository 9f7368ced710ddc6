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

    /// Determines who a request comes from, and refuses it if its credentials are rejected. Returns an answer if it has to wait.
    ///
    /// - Parameter decision: The result, if it is known by now.
    func authenticate(
        _ request: HTTPRequest, _ context: inout RequestContext, _ decision: Result<Authentication, ProblemDetails>?
    ) throws(ProblemDetails) -> HTTPAnswer? {
        if let decision { return try admit(request, &context, try decision.get()) }
        // A load balancer has no credentials, and must not be misled by those that it passes on.
        guard !context.route.isHealth else { return nil }
        // Neither `??` nor `if case`, which copy the result once more for each request.
        switch access.authenticator?.authenticate(request, at: credentialTime, clock: loop.now) {
        case .undecided(let decision)?: return decide(decision, request, context)
        case let authentication?:
            if let answer = joinLine(request, context, authentication) { return answer }
            return try admit(request, &context, authentication)
        case nil:
            if let answer = joinLine(request, context, .anonymous) { return answer }
            return try admit(request, &context, .anonymous)
        }
    }

    /// Refuses a request whose credentials are rejected or missing. Returns an answer if too many were rejected.
    private func admit(
        _ request: HTTPRequest, _ context: inout RequestContext, _ authentication: Authentication
    ) throws(ProblemDetails) -> HTTPAnswer? {
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
