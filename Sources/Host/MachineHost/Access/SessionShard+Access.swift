import Access
public import HTTPModel

// The first stages of a request, if access control is configured.
extension SessionShard {
    /// Adds the fields for pages of other origins.
    public func addPolicyFields(to response: inout HTTPResponse, for fields: HTTPFields, from peer: HTTPPeer) {
        access.addPolicyFields(to: &response, for: fields)
    }

    /// Determines who a request comes from, and refuses it if its credentials are rejected. Returns an answer if it has to wait.
    ///
    /// - Parameter decision: The result, if it is known by now.
    func authenticate(
        _ request: HTTPRequest, _ context: inout RequestContext, _ decision: Result<Authentication, ProblemDetails>?
    ) throws(ProblemDetails) -> HTTPAnswer? {
        if let decision { return try setRequester(of: request, &context, try decision.get()) }
        // A load balancer has no credentials, and must not be misled by those that it passes on.
        guard !context.route.isHealth else { return nil }
        let authentication = access.authenticate(request)
        if case .undecided(let decision) = authentication { return decide(decision, request, context) }
        // Hardly any server has a closure that decides later.
        if !pending.isEmpty, let answer = joinLine(request, context, authentication) { return answer }
        return try setRequester(of: request, &context, authentication)
    }

    /// Sets the requester. Refuses a request whose credentials are rejected or missing. Returns an answer if too many were rejected.
    private func setRequester(
        of request: HTTPRequest, _ context: inout RequestContext, _ authentication: Authentication
    ) throws(ProblemDetails) -> HTTPAnswer? {
        if let taken = access.countRejection(authentication, of: request) { return refuse(request, context, taken) }
        context.requester = try access.requester(of: request, authentication)
        if request.method == .post, case .sessions = context.route {
            context.cookie = access.renewedCookie(for: request, authentication)
        }
        return nil
    }

    /// Counts a request for its rate. Returns an answer if it is over its rate.
    func limit(_ request: HTTPRequest, _ context: inout RequestContext) -> HTTPAnswer? {
        guard let taken = access.count(request, context.route, from: context.requester) else { return nil }
        guard taken.decision.isAllowed else { return refuse(request, context, taken) }
        context.rate = taken
        return nil
    }

    /// Returns the answer to a request over its rate, which is late if the client does not wait.
    private func refuse(
        _ request: HTTPRequest, _ context: RequestContext, _ taken: RateTable.Result
    ) -> HTTPAnswer {
        let response =
            RateKind.kind(of: request, context.route) == .streams
            ? self.response(.tooManyRequests(taken.limit, taken.decision), to: request, context.route)
            : taken.limit.refusal(taken.decision)
        guard access.delays(taken.decision) else { return .response(response) }
        let waiting = PendingRequest(request, context, resumingAt: .perform)
        _ = loop.schedule(after: AccessGate.refusalDelay) { [access, backReference] in
            access.refusalWasSent()
            guard let shard = backReference.shard else { return waiting.promise.fulfil(response) }
            shard.respond(to: waiting, with: response)
        }
        return .deferred(waiting.promise)
    }
}
