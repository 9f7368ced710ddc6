import Access
import HTTPModel
import Telemetry

// Requests with an `Idempotency-Key`.
extension SessionShard {
    private static let maxKeyLength = 255
    /// The shortest key of a client without credentials for a new session, and for the redemption of a ticket, which has the strength of
    /// a session id.
    // The response to such a key contains the session's id, or a ticket, so a client that guesses a key obtains the session.
    static let shortestAnonymousKey = 22

    /// The outcome of an input with a key, to be repeated for the same key.
    enum KeyedOutcome {
        /// The input was run.
        case result(TurnOutcome)
        /// A refusal after part of a batch was run.
        case refusal(ProblemDetails)
    }

    /// Runs an input with a key, or repeats its first response.
    ///
    /// The response is remembered as if the client saw all outputs, and limited each time it is sent: a key belongs to a principal,
    /// which may see less with another credential.
    ///
    /// - Parameters:
    ///   - cause: The cause of the turn.
    ///   - view: The outputs that the client sees; nil for all.
    ///   - run: Runs the turn, and sets the turn that has ended.
    func runKeyed(
        _ cause: TurnCause, _ request: HTTPRequest, _ requester: Requester, _ session: Session, _ view: OutputFilter?,
        _ run: (inout EndedTurn?) throws(ProblemDetails) -> KeyedOutcome
    ) throws(ProblemDetails) -> HTTPResponse {
        loop.assertCurrent()
        let key = try key(of: request, from: requester)
        let window = session.idempotency ?? IdempotencyWindow()
        session.idempotency = window
        defer { session.noteRetainedBytes() }
        let digest = digest(of: request)
        switch window.receive(key, request: digest, now: loop.now, limits: idempotencyLimits) {
        case .run: break
        case .replay(let body):
            return replay(
                RememberedRefusal(body)?.response
                    ?? HTTPResponse(
                        status: .ok, fields: jsonFields, body: .bytes(view.map { $0.limiting(body) } ?? body)))
        case .mismatch: throw .idempotencyMismatch
        case .running: throw .idempotencyConflict
        case .full(let seconds): throw .tooManyKeys("The session remembers", retryAfter: seconds)
        }
        turns.setKey(key, digest)
        defer { turns.clearKey() }
        // The row of the turn contains the response, which is not known before the turn has ended.
        var ended: EndedTurn?
        defer {
            if let ended = ended.take() {
                record(cause, ended, of: session, key, digest, response: window.response(to: key))
            }
        }
        do throws(ProblemDetails) {
            switch try run(&ended) {
            case .result(let outcome):
                let whole = content(of: outcome, session, nil)
                let shown = view == nil ? whole : content(of: outcome, session, view)
                // A change that is too large as a whole is remembered as the client sees it.
                window.finish(
                    key, response: whole.bytes ?? shown.bytes, short: { SessionShard.shortResult(session.version) },
                    limits: idempotencyLimits)
                return HTTPResponse(status: .ok, fields: jsonFields, body: shown)
            case .refusal(let problem):
                let response = problem.response
                let cached = RememberedRefusal.missingState(response).bytes
                window.finish(key, response: cached, short: { cached }, limits: idempotencyLimits)
                return response
            }
        } catch {
            // The input was refused before it changed anything: the client may correct the cause and use the key again.
            window.abandon(key)
            throw error
        }
    }

    /// Creates a session for a request with a key, or repeats the first response.
    ///
    /// - Parameter visit: The first visit of a browser, who is remembered with the response; nil for other requests.
    func createKeyed(
        _ request: HTTPRequest, _ context: inout RequestContext, _ requested: RequestedSession,
        _ creationKey: CreationKey, _ visit: FirstVisit? = nil
    ) throws(ProblemDetails) -> HTTPResponse {
        try creations.use { (window) throws(ProblemDetails) in
            try createKeyed(request, &context, requested, creationKey, visit, in: window)
        }
    }

    private func createKeyed(
        _ request: HTTPRequest, _ context: inout RequestContext, _ requested: RequestedSession,
        _ creationKey: CreationKey, _ visit: FirstVisit?, in window: IdempotencyWindow
    ) throws(ProblemDetails) -> HTTPResponse {
        let key = creationKey.digest
        let visitor = visit?.id ?? []
        let client = keyHolder(of: request, from: context.requester)
        switch window.receive(key, request: digest(of: request), of: client, now: loop.now, limits: creations.limits) {
        case .run: break
        case .replay(let remembered):
            let content = remembered.dropFirst(visitor.count)
            let id = String(decoding: content.prefix(SessionID.textCount), as: UTF8.self)
            // The first response may still wait for the journal, even if the session has ended meanwhile.
            let name = content.withUnsafeBufferPointer { text in
                SessionID(UnsafeBufferPointer(rebasing: text.prefix(SessionID.textCount)))
            }
            let session = name.flatMap { sessions[$0] }
            context.wait(for: session?.lastSequence ?? name.map { sessions.unstoredEnd(of: $0) } ?? 0)
            let description = Array(content.dropFirst(SessionID.textCount))
            let view = visibleOutputs(of: requested.machine, to: context.requester)
            return replay(
                created(
                    id, session?.position(0, for: view),
                    body: .bytes(view.map { $0.limiting(description) } ?? description)))
        case .mismatch: throw .idempotencyMismatch
        case .running: throw .idempotencyConflict
        case .full(let seconds): throw .tooManyKeys("The server remembers", retryAfter: seconds)
        }
        do throws(ProblemDetails) {
            let creation = KeyedCreation(key: creationKey, request: digest(of: request), visitor: visitor)
            let session = try makeSession(
                of: requested.machine, for: request.peer, &context, in: request.trace, id: visit?.named?.id,
                stating: requested.creation(named: visit?.named?.place.name), keyed: creation)
            let whole = description(of: session, nil)
            let id = session.id.text
            let beginning = visitor + Array(id.utf8)
            window.finish(
                key, response: whole.bytes.map { beginning + $0 },
                short: { beginning + self.shortDescription(of: session) }, limits: creations.limits)
            let view = visibleOutputs(of: session, to: context.requester)
            return created(
                id, session.position(for: view), body: view == nil ? whole : description(of: session, view))
        } catch {
            window.abandon(key)
            throw error
        }
    }

    /// Returns the keys of a request for a new session that no request in this process has used, unless its response is known; empty
    /// without such keys.
    func unknownCreationKeys(
        of request: HTTPRequest, from requester: Requester, isFirstVisit: Bool
    ) -> [CreationKey] {
        guard usesKey(request),
            let key = try? creationKey(of: request, from: requester, isFirstVisit: isFirstVisit), !remembers(key)
        else { return [] }
        guard case .principal(let principal, _) = requester, principal.method == .cookie,
            let first = try? creationKey(of: request, from: requester, isFirstVisit: true), !remembers(first)
        else { return [key] }
        return [key, first]
    }

    private func remembers(_ key: CreationKey) -> Bool { creations.contains(key.digest) == true }

    /// Returns the key of a request for a new session.
    ///
    /// - Parameter isFirstVisit: Whether a browser without a cookie sends it, or has sent it: its key cannot be separated from those of
    ///   others by its principal, which it does not know.
    func creationKey(
        of request: HTTPRequest, from requester: Requester, isFirstVisit: Bool
    ) throws(ProblemDetails) -> CreationKey {
        let scope = isFirstVisit ? [3] : SessionShard.keyScope(of: requester)
        // Without a principal, the response to the key is a capability.
        let isGuarded = !isFirstVisit && requester.principal != nil
        let text = try keyText(of: request, shortest: isGuarded ? 1 : SessionShard.shortestAnonymousKey)
        return CreationKey(
            digest: host.digestKey.digest(of: scope + Array(text.utf8)),
            mask: host.digestKey.digest(of: [0] + scope + Array(text.utf8)))
    }

    /// Returns the client that the key of a request for a new session counts for.
    func keyHolder(of request: HTTPRequest, from requester: Requester) -> ClientTable.Client {
        // A browser that discards its cookie becomes another principal, also one whose address is not limited.
        let isCookie = requester.principal?.method == .cookie
        return host.client(of: isCookie ? .anonymous : requester, request.peer) ?? .others
    }

    /// Whether a request for a new session or a ticket has a key.
    func usesKey(_ request: HTTPRequest) -> Bool {
        host.configuration.idempotencyKeys > 0 && request.fields.contains(.idempotencyKey)
    }

    /// Returns the loop that remembers a key for a new session; nil for a request without a key.
    func creationLoop(of request: HTTPRequest) -> Int? {
        guard usesKey(request), let key = try? keyText(of: request, shortest: 1) else { return nil }
        // All loops must agree, also before the journal is open and the secret key is known: a retry may arrive on another
        // connection, and another loop would create a second session.
        return Int(RequestDigest.Key.public.digest(of: key.utf8).low % UInt64(loop.count))
    }

    /// Returns the shortened response to an input whose changes are too large to be remembered.
    private static func shortResult(_ version: UInt64) -> [UInt8] {
        var json: [UInt8] = []
        appendResultHead(version, to: &json)
        json.append("null}")
        return json
    }

    func replay(_ response: HTTPResponse) -> HTTPResponse {
        meter.replays.add()
        var response = response
        response.fields.append(.idempotencyReplayed, "true")
        return response
    }

    /// Returns the digest of the key, which may be quoted.
    func key(
        of request: HTTPRequest, from requester: Requester
    ) throws(ProblemDetails) -> RequestDigest {
        let text = try keyText(of: request, shortest: 1)
        let scope = SessionShard.keyScope(of: requester)
        return host.digestKey.digest(of: scope.isEmpty ? Array(text.utf8) : scope + Array(text.utf8))
    }

    /// Separates the keys of each requester from those of others: a key gets the response to its first request. Begins with
    /// a byte that no field contains; empty for clients without credentials.
    private static func keyScope(of requester: Requester) -> [UInt8] {
        switch requester {
        case .anonymous: []
        case .principal(_, let hash): [1] + hash.bytes
        case .ticket(let ticket): [2] + ticket.nonce.bytes
        }
    }

    func keyText(of request: HTTPRequest, shortest: Int) throws(ProblemDetails) -> Substring {
        var key = Substring(request.fields.value(.idempotencyKey) ?? "")
        if key.count >= 2, key.first == "\"", key.last == "\"" { key = key.dropFirst().dropLast() }
        let lengths = shortest...SessionShard.maxKeyLength
        guard lengths.contains(key.utf8.count), request.fields.count(of: .idempotencyKey) == 1 else {
            throw .malformedField(
                .idempotencyKey, expected: "one key of \(lengths.lowerBound) to \(lengths.upperBound) characters")
        }
        return key
    }

    func digest(of request: HTTPRequest) -> RequestDigest {
        host.digestKey.digest(
            path: request.target.utf8.prefix { $0 != UInt8(ascii: "?") }, body: request.body)
    }
}
