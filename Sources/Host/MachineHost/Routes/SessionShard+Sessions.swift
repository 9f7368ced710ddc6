import Access
import HTTPModel
import JSONText

extension SessionShard {
    /// Finds the session that a request for a new one has led to before: by its name, or by its key. Returns nil if that is known by now.
    ///
    /// - Parameter loads: Whether what is not in memory is looked up in the journal.
    func locateNew(
        _ request: HTTPRequest, _ context: inout RequestContext, loads: Bool
    ) throws(ProblemDetails) -> HTTPAnswer? {
        try access.authorizeCreation(by: context.requester)
        let requested = try requestedSession(request, &context)
        try requireJSONAccepted(request)
        let isFirstVisit = access.cookieReturn(of: request, from: context.requester) != .never
        if let name = requested.name, !isFirstVisit {
            return try locate(named: name, requested, for: request, &context, loads: loads)
        }
        guard loads, host.journal != nil else { return nil }
        let keys = unknownCreationKeys(of: request, from: context.requester, isFirstVisit: isFirstVisit)
        guard !keys.isEmpty else { return nil }
        let waiting = PendingRequest(request, context, resumingAt: .perform)
        recall(keys, for: waiting)
        return .deferred(waiting.promise)
    }

    /// `POST /v1/sessions`.
    func createSession(
        _ request: HTTPRequest, _ context: inout RequestContext
    ) throws(ProblemDetails) -> HTTPResponse {
        let requested = try requestedSession(request, &context)
        if let named = requested.named { return try createNamed(request, &context, requested, named) }
        let cookieReturn = access.cookieReturn(of: request, from: context.requester)
        guard cookieReturn == .never else { return try createFirst(request, &context, requested, cookieReturn) }
        try access.authorizeCreation(of: requested.machine, by: context.requester)
        guard usesKey(request) else { return try createUnkeyed(request, &context, requested) }
        if let (key, visit) = rememberedVisit(request, of: context.requester) {
            return try createKeyed(request, &context, requested, key, visit)
        }
        let key = try creationKey(of: request, from: context.requester, isFirstVisit: false)
        return try createKeyed(request, &context, requested, key)
    }

    /// Creates a session for a request without a key.
    ///
    /// - Parameter named: The name, and the id that follows; nil if it has none.
    func createUnkeyed(
        _ request: HTTPRequest, _ context: inout RequestContext, _ requested: RequestedSession,
        _ named: (place: NamedPlace, id: SessionID)? = nil
    ) throws(ProblemDetails) -> HTTPResponse {
        let session = try makeSession(
            of: requested.machine, for: request.peer, &context, in: request.trace, id: named?.id,
            stating: requested.creation(named: named?.place.name))
        let view = visibleOutputs(of: session, to: context.requester)
        return created(session.id.text, session.position(for: view), body: description(of: session, view))
    }

    /// Returns the response to a request that has created a session.
    ///
    /// - Parameter position: The position of version 0; nil if it is not known, because the session is not in memory.
    func created(_ id: String, _ position: StreamPosition?, body: HTTPResponseBody) -> HTTPResponse {
        var response = HTTPResponse(status: .created, fields: jsonFields, body: body)
        response.fields.append(.location, HTTPFieldValue("/v1/sessions/\(id)") ?? "")
        if let position { response.fields.append(entityTag: position) }
        return response
    }

    /// `GET /v1/sessions/{id}`.
    func showSession(
        _ session: Session, _ view: OutputFilter?, _ request: HTTPRequest
    ) throws(ProblemDetails) -> HTTPResponse {
        if isUnchanged(session, view, for: request) { return notModified(session, view) }
        try requireJSONAccepted(request)
        var response = HTTPResponse(status: .ok, fields: jsonFields, body: description(of: session, view))
        response.fields.append(entityTag: session.position(for: view))
        return response
    }

    func notModified(_ session: Session, _ view: OutputFilter?) -> HTTPResponse {
        HTTPResponse(
            status: .notModified,
            fields: [.eTag: session.position(for: view).entityTag, .cacheControl: "no-store"])
    }

    /// Returns the representation of a session, as `GET /v1/sessions/{id}` sends it.
    ///
    /// - Parameter view: The outputs that the client sees; nil for all.
    func description(of session: Session, _ view: OutputFilter?) -> HTTPResponseBody {
        // Read once: an access to the board also retains and releases the machine, which the state has beside it.
        let shown = session.board?.shownByteCount ?? 0
        if shown > SharedText.threshold, let outputs = session.largeOutputs(only: view) {
            let text = session.largeText(outputs) {
                appendBeginning(of: session, to: &$0)
            } to: {
                appendEnd(of: session, view, to: &$0)
            }
            return .stream(SharedTextReader(text))
        }
        var json: [UInt8] = []
        // Enough for most sessions, whose outputs are small: an array that grows is allocated and copied several times.
        json.reserveCapacity(SessionShard.descriptionBytes + shown)
        appendBeginning(of: session, to: &json)
        session.appendOutputs(only: view, to: &json)
        appendEnd(of: session, view, to: &json)
        return .bytes(json)
    }

    /// Returns the representation with `null` in place of the outputs.
    func shortDescription(of session: Session) -> [UInt8] {
        var json: [UInt8] = []
        appendBeginning(of: session, to: &json)
        json.append("null")
        appendEnd(of: session, nil, to: &json)
        return json
    }

    /// The usual size of a representation without the values of outputs.
    private static let descriptionBytes = 320

    private func appendBeginning(of session: Session, to json: inout [UInt8]) {
        json.append("{\"id\":\"")
        session.id.append(to: &json)
        json.append("\",\"machine\":")
        JSONWriter.append(session.machineKind.definition.name, to: &json)
        if let name = session.context.creation?.name {
            json.append(",\"name\":")
            JSONWriter.append(name.text, to: &json)
        }
        json.append(",\"version\":")
        JSONWriter.append(session.version, to: &json)
        json.append(",\"durability\":\"")
        json.append(contentsOf: session.machineKind.durability.rawValue.utf8)
        json.append("\",\"outputs\":")
    }

    private func appendEnd(of session: Session, _ view: OutputFilter?, to json: inout [UInt8]) {
        json.append(",\"created\":\"")
        session.created.append(to: &json)
        json.append("\",\"expires\":\"")
        WallTime(seconds: host.wallClock().seconds + Int64(times.idleExpiry)).append(to: &json)
        json.append("\"")
        // What the machine is doing may tell of outputs outside of the view.
        if view == nil {
            session.context.declaredEffects?.appendProgress(to: &json)
            appendWakefulness(of: session, to: &json)
        }
        json.append("}")
    }
}
