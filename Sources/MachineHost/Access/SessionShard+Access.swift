import Access
public import HTTPModel

// What happens to a request before it is routed, if access control is configured.
extension SessionShard {
    /// The wall time, at which credentials are checked.
    // Not that of the loop, which does not advance while the system sleeps: a token would be valid for too long.
    var credentialTime: UnixTime {
        UnixTime(milliseconds: host.wallClock().sinceBeginning / 1_000_000)
    }

    /// Determines who a request comes from, and responds to it if it is permitted.
    func respondGuarded(to request: HTTPRequest) -> HTTPAnswer {
        guard let cors = access.configuration.cors else { return authenticate(request) }
        // Before the authentication: a preflight request has no credentials.
        if let fields = cors.preflight(request.method, request.fields) {
            return .response(HTTPResponse(status: .noContent, fields: fields))
        }
        let fields = request.fields
        return authenticate(request).changed { cors.addFields(to: &$0.fields, for: fields) }
    }

    /// Adds the fields for pages of other origins.
    public func addPolicyFields(to response: inout HTTPResponse, for fields: HTTPFields, from peer: HTTPPeer) {
        access.configuration.cors?.addFields(to: &response.fields, for: fields)
    }

    private func authenticate(_ request: HTTPRequest) -> HTTPAnswer {
        // A load balancer has no credentials, and must not be misled by those that it passes on.
        let route = Route(target: request.target)
        respondedResource = route.resource
        guard !route.isHealth else { return self.route(request, route, from: .anonymous) }
        // Neither `??` nor `if case`, which copy the result once more for each request.
        switch access.authenticator?.authenticate(request, at: credentialTime, clock: loop.now) {
        case .undecided(let pending)?: return decide(pending, request, route)
        case let authentication?:
            if let line = undecided.line(of: request, route) { return wait(in: line, request, route, authentication) }
            return respond(to: request, route, from: authentication)
        case nil:
            if let line = undecided.line(of: request, route) { return wait(in: line, request, route, .anonymous) }
            return respond(to: request, route, from: .anonymous)
        }
    }

    /// Responds to a request whose authentication is decided.
    func respond(to request: HTTPRequest, _ route: Route, from authentication: Authentication) -> HTTPAnswer {
        if let refusal = refusal(of: request, route, authentication) { return refusal }
        let requester: Requester
        do throws(ProblemDetails) {
            requester = try admitted(request, authentication)
        } catch {
            return .response(error.response)
        }
        // Before a cookie is issued: every browser gets one, so that it would admit everybody.
        if access.configuration.requiresPrincipal, requester.isAnonymous {
            return .response(ProblemDetails.credentialsRequired.response)
        }
        guard request.method == .post, case .sessions = route,
            let cookie = access.authenticator?.renewedCookie(request, authentication, at: credentialTime)
        else { return routeLimited(request, route, from: requester) }
        return routeLimited(request, route, from: requester).changed { response in
            // The cookie of a session that was not created would only replace that of another tab.
            if response.status == .created { response.fields.append(.setCookie, cookie) }
        }
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

extension HTTPAnswer {
    /// Returns the answer with a changed response, now or later.
    func changed(_ change: @escaping (inout HTTPResponse) -> Void) -> HTTPAnswer {
        switch self {
        case .response(var response):
            change(&response)
            return .response(response)
        case .deferred(let promise):
            let changed = DeferredResponse()
            promise.whenFulfilled(for: changed) { response in
                var response = response
                change(&response)
                changed.fulfil(response)
            }
            return .deferred(changed)
        }
    }
}
