package import Access
public import HTTPModel
import JSONText
import Telemetry

/// The stages of a request, in order. A request that waits continues at one of them.
enum RequestStage: Comparable {
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
        if context.isGuarded, let fields = access.preflightFields(for: request) {
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
        if context.isGuarded { complete(&response, request, context) }
        // Nobody learns of a turn that could still be lost, or that the streams do not show yet.
        guard context.sequence > 0, let journal, context.sequence > journal.released else { return .response(response) }
        if host.journal?.lacksEngine == true {
            // A refusal says nothing about a turn.
            if response.status == .serviceUnavailable { return .response(response) }
            let problem =
                request.method == .get || request.method == .head ? ProblemDetails.journalUnavailable : .outcomeUnknown
            return .response(problem.response(inPlaceOf: response))
        }
        return .deferred(journal.hold(response, until: context.sequence, promised: context.promise))
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
        // A long poll waits longer than its turn in the pipeline.
        switch context.route {
        case .stream(let id) where request.method == .get: return try readDurably(request, &context, session: id)
        default: return nil
        }
    }

    /// Finds what a request is for. Returns nil if it is in memory, or does not exist for the requester.
    ///
    /// - Parameter loads: Whether what is not in memory is looked up in the journal.
    private func locate(
        _ request: HTTPRequest, _ context: inout RequestContext, loads: Bool
    ) throws(ProblemDetails) -> HTTPAnswer? {
        guard let id = context.route.session else {
            guard case .sessions = context.route, request.method == .post else { return nil }
            return try locateNew(request, &context, loads: loads)
        }
        // Before anything is looked up, so that the holder of another session's ticket learns nothing from the time that it takes.
        guard !context.requester.hasTicket(forOtherThan: id) else { return nil }
        guard let session = sessions[id] ?? context.asleep?.session else {
            return loads ? locateStored(id, isKnown: false, for: request, &context) : nil
        }
        guard context.requester.sees(session.owner, session.storedID), !(loads && isBehindLookUp(of: id, request))
        else {
            return loads ? locateStored(id, isKnown: true, for: request, &context) : nil
        }
        context.session = session
        return nil
    }

    /// Returns whether earlier requests of the client for a session are looked up, because it was not in memory then.
    func isBehindLookUp(of id: SessionID, _ request: HTTPRequest) -> Bool {
        !pending.isEmpty && pending.contains(.lookUp(id, WorkSource(request.peer)))
    }

    /// Returns the session that was found for a request, if the requester may perform an operation on it, and resets its idle time.
    ///
    /// - Parameter operation: The operation; nil for a batch, whose inputs are authorized when they are known.
    func authorize(
        _ operation: AccessOperation?, on id: SessionID, _ context: inout RequestContext
    ) throws(ProblemDetails) -> Session {
        guard let session = context.session else { throw try missing(id, &context) }
        assert(session.id == id, "expected the session of the route")
        // A credential counts for the streams whether or not it permits the operation.
        if !context.requester.isAnonymous { renewLeases(of: session, by: context.requester) }
        // A use of a ticket waits for the journal, even if it is the last one that a request is refused for.
        defer { context.wait(for: session.lastSequence) }
        if try access.authorize(operation, on: session, for: context.requester) { storeTickets(of: session) }
        session.lastActivity = tick
        return session
    }

    /// Adds the fields of access control to a response.
    private func complete(_ response: inout HTTPResponse, _ request: HTTPRequest, _ context: RequestContext) {
        if let rate = context.rate { RateLimitFields.append(rate.limit, rate.decision, to: &response.fields) }
        // The cookie of a session that was not created would only replace that of another tab.
        if let cookie = context.cookie, response.status == .created { response.fields.append(.setCookie, cookie) }
        access.addPolicyFields(to: &response, for: request.fields)
    }
}

// Inputs: authorized, decoded, run and stored.
extension SessionShard {
    /// `POST /v1/sessions/{id}/inputs/{input}`.
    func takeInput(
        _ request: HTTPRequest, _ context: inout RequestContext, session id: SessionID, input name: String
    ) throws(ProblemDetails) -> HTTPResponse {
        let session = try authorize(.input(name), on: id, &context)
        guard let (place, read) = session.machineKind.reader(ofInput: name) else {
            throw .noInput(of: session.machineKind)
        }
        let fields = FieldPresence(of: request.fields)
        if fields.contains(.accept) { try requireJSONAccepted(request) }
        let document = try document(request)
        // Once for the decoder and the journal, and not with `??`: each would copy it.
        let value = if let document { document.slice } else { SessionShard.null }
        let prepared: PreparedInput
        do throws(InputMismatch) {
            prepared = try decode(request, from: context.requester, for: session) { () throws(InputMismatch) in
                try read(value)
            }
        } catch {
            throw .invalidValue(of: "The input \"\(name)\"", error)
        }
        return try run(
            .input(name: name, value: value), at: place, request, &context, session, fields,
            refusal: { .refused(input: name, $0.refusal) }
        ) { machine throws(RefusedInput) in
            session.meter.inputs.add()
            do throws(InputRefusal) { try prepared.run(on: machine, in: session.context) } catch {
                throw RefusedInput(place: 0, refusal: error)
            }
        }
    }

    /// Decodes an input for a session. A machine's decoders may trap, like its inputs.
    func decode<Result>(
        _ request: HTTPRequest, from requester: Requester, for session: Session,
        _ body: () throws(InputMismatch) -> Result
    ) throws(InputMismatch) -> Result {
        guard turns.notesTurns, let storage = session.storage else { return try body() }
        guard request.fields.contains(.idempotencyKey), let key = try? key(of: request, from: requester) else {
            return try turns.noting(storage.id, body)
        }
        turns.setKey(key, digest(of: request))
        defer { turns.clearKey() }
        return try turns.noting(storage.id, body)
    }

    /// Runs an input or a batch as one turn, if its conditions hold and the session has room.
    ///
    /// - Parameters:
    ///   - trigger: The input or the batch, for the journal.
    ///   - place: The place of the input in the registration; nil for a batch.
    ///   - problem: Returns the problem for a refused input.
    func run(
        _ trigger: TurnRecord.Trigger, at place: Int? = nil, _ request: HTTPRequest, _ context: inout RequestContext,
        _ session: Session, _ fields: FieldPresence, refusal problem: (RefusedInput) -> ProblemDetails,
        _ work: (any HostedMachine) throws(RefusedInput) -> Void
    ) throws(ProblemDetails) -> HTTPResponse {
        loop.assertCurrent()
        // Also if the input fails: its client learns of the end of the session.
        defer { context.wait(for: session.lastSequence) }
        let requester = context.requester
        let cause = TurnCause(trigger: trigger, place: place, sender: InputSender(requester))
        let view = visibleOutputs(of: session, to: requester)
        guard fields.contains(.idempotencyKey), host.configuration.idempotencyKeys > 0 else {
            try requireRoom(for: request, session, requester)
            if fields.contains(.conditions) { try checkVersion(request, session, view) }
            var refused: RefusedInput?
            let ended = turns.run(cause, of: session, in: request.trace) {
                do throws(RefusedInput) { try work($0) } catch { refused = error }
            }
            var outcome = TurnOutcome.unchanged
            if let ended {
                record(cause, ended, of: session)
                outcome = ended.outcome
            }
            if case .failed(let incident) = outcome { throw .machineFailed(incident: incident) }
            if let refused { throw problem(refused) }
            return HTTPResponse(status: .ok, fields: jsonFields, body: content(of: outcome, session, view))
        }
        return try runKeyed(cause, request, requester, session, view) { (ended) throws(ProblemDetails) in
            try requireRoom(for: request, session, requester)
            try checkVersion(request, session, view)
            var refused: RefusedInput?
            ended = turns.run(cause, of: session, in: request.trace) {
                do throws(RefusedInput) { try work($0) } catch { refused = error }
            }
            let outcome = ended?.outcome ?? .unchanged
            if case .failed(let incident) = outcome { throw .machineFailed(incident: incident) }
            guard let refused else { return .result(outcome) }
            // Part of the batch was run. Remember the refusal, or a retry would run that part again.
            guard refused.place == 0 else { return .refusal(problem(refused)) }
            throw problem(refused)
        }
    }

    /// Throws if the session or the server has reached its limit of retained bytes.
    private func requireRoom(
        for request: HTTPRequest, _ session: Session, _ requester: Requester
    ) throws(ProblemDetails) {
        if session.storage != nil, let refusal = host.journal?.refusal { throw refusal }
        if host.quotas.isAnyFull { try requireQuota(session, request, from: requester) }
        let limit = host.configuration.maxSessionBytes
        if session.retainedBytes > limit, session.isFull(limit: limit) {
            throw .sessionFull(session.retainedBytes, limit: limit)
        }
        // An input without a body adds almost no bytes, and it may be the input that makes the machine release memory.
        guard !request.body.isEmpty, !host.hasRoom(forSessionOf: session.retainedBytes + request.body.count) else {
            return
        }
        throw .noRoom
    }

    /// Returns the content of the response to an input that has just been run.
    ///
    /// - Parameter view: The outputs that the client sees; nil for all.
    func content(of outcome: TurnOutcome, _ session: Session, _ view: OutputFilter?) -> HTTPResponseBody {
        var json: [UInt8] = []
        switch outcome {
        case .changedLarge(let change):
            var builder = SharedTextBuilder(session.largeValues.ledger)
            builder.append { SessionShard.appendResultHead(session.version, to: &$0) }
            change.appendData(passing: view, to: &builder)
            builder.append { $0.append(UInt8(ascii: "}")) }
            let text = builder.text()
            // What is left of the change may be small enough to be remembered.
            guard view != nil, text.count <= SharedText.threshold else { return .stream(SharedTextReader(text)) }
            return .bytes(text.bytes)
        case .changed(let data):
            json.reserveCapacity(data.count + 44)
            SessionShard.appendResultHead(session.version, to: &json)
            if let view {
                appendChange(data, passing: view, to: &json)
            } else {
                json.append(copyOf: turns.changeText, data)
            }
        case .unchanged, .failed:
            json.reserveCapacity(46)
            SessionShard.appendResultHead(session.version, to: &json)
            json.append("{}")
        }
        json.append(UInt8(ascii: "}"))
        return .bytes(json)
    }

    static func appendResultHead(_ version: UInt64, to json: inout [UInt8]) {
        json.append("{\"version\":")
        JSONWriter.append(version, to: &json)
        json.append(",\"changes\":")
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

    /// Responds to a request that has waited, as soon as what its response depends on is stored.
    func respond(to waiting: PendingRequest, with response: HTTPResponse) {
        loop.assertCurrent()
        var response = response
        if waiting.context.isGuarded { complete(&response, waiting.request, waiting.context) }
        let sequence = waiting.context.sequence
        guard let journal, sequence > journal.released else { return waiting.promise.fulfil(response) }
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

/// An input that was refused when it was run, with its index in the batch: the number of inputs that were run before
/// it.
struct RefusedInput: Error {
    let place: Int
    let refusal: InputRefusal
}
