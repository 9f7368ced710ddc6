package import Access
public import HTTPModel

/// The stages of a request, in order. A request that waits continues at one of them.
enum RequestStage: UInt8, Comparable {
    /// Determines who the request comes from, and refuses rejected credentials.
    case authenticate
    /// Counts the request for the rates of its client.
    case limit
    /// Queues the request as long as stored sessions run no turns.
    case pause
    /// Finds what the request is for, and loads it if it is stored.
    case load
    /// Finds what the request is for in memory, and responds: authorizes, decodes and runs it.
    case perform

    static func < (one: RequestStage, other: RequestStage) -> Bool { one.rawValue < other.rawValue }
}

// The way of a request through the host.
extension SessionShard {
    /// Responds synchronously, on the loop.
    ///
    /// A response that depends on a turn is promised until the journal has stored the turn.
    public func respond(to request: HTTPRequest) -> HTTPAnswer {
        var resource: RoutedResource?
        return respond(to: request, at: &resource)
    }

    /// Responds synchronously, on the loop.
    ///
    /// - Parameter resource: Receives the kind of resource that the request names; unchanged if the host does not serve its path.
    package func respond(to request: HTTPRequest, at resource: inout RoutedResource?) -> HTTPAnswer {
        loop.assertCurrent()
        var context = RequestContext(Route(target: request.target), isGuarded: access.isGuarded)
        if let named = context.route.resource { resource = named }
        // Before the authentication: a preflight request has no credentials.
        if let fields = access.preflightFields(for: request) {
            return .response(HTTPResponse(status: .noContent, fields: fields))
        }
        return process(request, &context, from: context.isGuarded ? .authenticate : .pause)
    }

    /// Responds to a request whose requester is known, without the fields of the policy.
    package func respond(to request: HTTPRequest, from requester: Requester) -> HTTPAnswer {
        loop.assertCurrent()
        var context = RequestContext(Route(target: request.target), isGuarded: false, from: requester)
        return process(request, &context, from: .pause)
    }

    /// Takes a request through its stages, beginning with one.
    ///
    /// - Parameter decision: The result of the authentication; nil if it is not known, or was checked.
    private func process(
        _ request: HTTPRequest, _ context: inout RequestContext, from first: RequestStage,
        decided decision: Result<Authentication, ProblemDetails>? = nil
    ) -> HTTPAnswer {
        var response: HTTPResponse
        do throws(ProblemDetails) {
            switch try prepare(request, &context, from: first, decided: decision) {
            case nil: response = try perform(request, &context)
            case .response(let early)?: response = early
            case .deferred(let promise)?:
                // The promise is fulfilled if the request could not wait.
                return promise.takeIfFulfilled().map { .response($0) } ?? .deferred(promise)
            }
        } catch {
            response = self.response(error, to: request, context.route)
        }
        complete(&response, request, context)
        // Nobody learns of a turn that could still be lost, or that the streams do not show yet.
        guard context.sequence > 0, let journal, context.sequence > journal.released else { return .response(response) }
        if host.journal?.lacksEngine == true {
            // A refusal says nothing about a turn.
            if response.status == .serviceUnavailable { return .response(response) }
            let problem =
                request.method == .get || request.method == .head ? ProblemDetails.journalUnavailable : .outcomeUnknown
            return .response(problem.response(inPlaceOf: response))
        }
        return .deferred(journal.hold(response, until: context.sequence, promised: context.promised()))
    }

    /// Returns the answer to a request that is not performed now; nil if it is.
    func prepare(
        _ request: HTTPRequest, _ context: inout RequestContext, from first: RequestStage,
        decided decision: Result<Authentication, ProblemDetails>? = nil
    ) throws(ProblemDetails) -> HTTPAnswer? {
        if first <= .authenticate, let answer = try authenticate(request, &context, decision) { return answer }
        if first <= .limit, let answer = limit(request, &context) { return answer }
        if first <= .pause, let answer = pause(request, context) { return answer }
        if let answer = try locate(request, &context, loads: first <= .load) { return answer }
        return try readDurably(request, &context)
    }

    /// Finds what a request is for. Returns nil if it is known by now.
    ///
    /// - Parameter loads: Whether what is not in memory is looked up in the journal.
    private func locate(
        _ request: HTTPRequest, _ context: inout RequestContext, loads: Bool
    ) throws(ProblemDetails) -> HTTPAnswer? {
        if let id = context.route.session { return locate(id, for: request, &context, loads: loads) }
        guard case .sessions = context.route, request.method == .post else { return nil }
        return try locateNew(request, &context, loads: loads)
    }

    /// Adds the fields to a response that do not depend on the resource.
    private func complete(_ response: inout HTTPResponse, _ request: HTTPRequest, _ context: RequestContext) {
        guard context.isGuarded else { return }
        if let rate = context.rate { RateLimitFields.append(rate.limit, rate.decision, to: &response.fields) }
        // The cookie of a session that was not created would only replace that of another tab.
        if let cookie = context.cookie, response.status == .created { response.fields.append(.setCookie, cookie) }
        access.addPolicyFields(to: &response, for: request.fields)
    }
}

// Requests that wait.
extension SessionShard {
    /// Queues a request until a cause to wait ends. Returns whether there was room; if not, responds to the request.
    @discardableResult
    func wait(_ waiting: PendingRequest, for cause: PendingRequests.Cause) -> Bool {
        loop.assertCurrent()
        let isRefused = cause.needsJournal && host.journal?.lacksEngine == true
        if !isRefused, pending.add(waiting, for: cause) { return true }
        respond(to: waiting, with: isRefused ? .journalUnavailable : busy)
        return false
    }

    /// Continues with a request that has waited, at a stage: by default, its own.
    func resume(_ waiting: PendingRequest, at stage: RequestStage? = nil, asleep: SleepingSession? = nil) {
        loop.assertCurrent()
        var context = waiting.context
        context.asleep = asleep
        let stage = stage ?? waiting.stage
        if let opening = context.opening { return open(opening, for: waiting.request, &context, from: stage) }
        switch process(waiting.request, &context, from: stage, decided: waiting.decision) {
        case .response(let response): waiting.promise.fulfil(response)
        case .deferred(let promise): assert(promise === waiting.promise, "expected one promise for each request")
        }
    }

    /// Responds to a request that has waited.
    func respond(to waiting: PendingRequest, with response: HTTPResponse) {
        loop.assertCurrent()
        var response = response
        complete(&response, waiting.request, waiting.context)
        waiting.promise.fulfil(response)
    }

    /// Responds to a request that has waited, as soon as what its response depends on is stored.
    func respondWhenStored(to waiting: PendingRequest, with response: HTTPResponse) {
        let sequence = waiting.context.sequence
        guard let journal, sequence > journal.released else { return respond(to: waiting, with: response) }
        var response = response
        complete(&response, waiting.request, waiting.context)
        if host.journal?.lacksEngine == true {
            return waiting.promise.fulfil(ProblemDetails.outcomeUnknown.response(inPlaceOf: response))
        }
        _ = journal.hold(response, until: sequence, promised: waiting.promise)
    }

    /// Responds to a request that has waited with a problem.
    func respond(to waiting: PendingRequest, with problem: ProblemDetails) {
        if let opening = waiting.context.opening { return refuse(opening, problem) }
        respond(to: waiting, with: response(problem, to: waiting.request, waiting.context.route))
    }

    /// Queues a request until turns run, or forwards it if another process continues the sessions: for example because its session can no
    /// longer be loaded here.
    func waitForTurns(_ waiting: PendingRequest) {
        guard host.journal?.phase != .closed else { return forward(waiting) }
        wait(waiting, for: .turns)
    }

    /// The problem when too many requests wait.
    var busy: ProblemDetails {
        let reason = host.journal?.phase == .opening ? "the server is starting" : "too many requests wait for the disk"
        return .unavailable(reason, retryAfter: 1)
    }
}
