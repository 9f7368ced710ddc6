import Access
import HTTPModel

extension SessionShard {
    /// `GET /v1/sessions/{id}/outputs`: an event stream if the client prefers one, otherwise the current outputs.
    func showOutputs(
        _ request: HTTPRequest, _ context: inout RequestContext, session id: SessionID
    ) throws(ProblemDetails) -> HTTPResponse {
        let preference = MediaPreference(request.fields.list(.accept))
        let wantsStream = preference.prefers("text/event-stream", to: "application/json")
        // A 204 tells an `EventSource` to stop reconnecting (HTML, §9.2).
        if wantsStream, context.session == nil, try knownEnd(of: id, to: context.requester) != nil {
            context.wait(for: sessions.unstoredEnd(of: id))
            return HTTPResponse(status: .noContent)
        }
        let isStream = wantsStream && request.method == .get
        let session = isStream ? try streamedSession(id, &context) : try authorize(.read, on: id, &context)
        guard wantsStream || preference.quality(of: "application/json") > 0 else {
            throw .notAcceptable(offered: "application/json and text/event-stream")
        }
        let view = visibleOutputs(of: session, to: context.requester)
        let filter = try filter(try parameter("only", of: request), session.machineKind, view)
        if wantsStream {
            guard isStream else { return HTTPResponse(status: .ok, fields: .eventStream) }
            let stream = try makeStream(of: session, filter, after: lastEventID(of: request), request, context)
            return HTTPResponse(status: .ok, fields: .eventStream, body: .stream(stream))
        }
        try checkVersion(request, session, view)
        if isUnchanged(session, view, for: request) { return notModified(session, view) }
        var response = HTTPResponse(status: .ok, fields: jsonFields, body: outputs(of: session, filter))
        response.fields.append(entityTag: session.position(for: view))
        return response
    }

    private func outputs(of session: Session, _ filter: OutputFilter?) -> HTTPResponseBody {
        if let text = session.largeOutputs(only: filter) { return .stream(SharedTextReader(text)) }
        var body: [UInt8] = []
        // All of them with braces and commas: an array that grows is allocated and copied several times.
        let kind = session.machineKind
        body.reserveCapacity(kind.keyByteCount + kind.outputKeys.count + 2 + (session.board?.shownByteCount ?? 0))
        session.appendOutputs(only: filter, to: &body)
        return .bytes(body)
    }

    /// Returns the session of a request for a stream.
    func streamedSession(_ id: SessionID, _ context: inout RequestContext) throws(ProblemDetails) -> Session {
        if case .ticket(let ticket) = context.requester, !ticket.isForStreams {
            throw CredentialRejection.countedTicketForStream.problem
        }
        return try authorize(.read, on: id, &context)
    }

    /// Creates a stream of a session.
    ///
    /// - Parameters:
    ///   - filter: The outputs that it sends; nil for all.
    ///   - lastEventID: The id of the last event that the client has received; empty if none exists.
    func makeStream(
        of session: Session, _ filter: OutputFilter?, after lastEventID: [UInt8], _ request: HTTPRequest,
        _ context: RequestContext
    ) throws(ProblemDetails) -> SessionStream {
        loop.assertCurrent()
        let limit = host.configuration.maxStreamsPerSession
        guard session.streamCount < limit else {
            throw .tooManyStreams(
                "The session has \(limit) streams, which is its limit (sessions.maxStreamsPerSession).")
        }
        let isMember = context.opening != nil
        // A combined stream has been counted once.
        let share = isMember ? nil : try reserveStream(for: request, from: context.requester)
        // Counted when the response is created, not when it is read: otherwise pipelined requests could open any number
        // of streams before the first one is read.
        session.streamCount += 1
        let stream = SessionStream(
            session: session, wanted: CombinedPosition.position(in: lastEventID, of: session.epoch(for: filter)),
            filter: filter,
            endsAt: tick + jitteredLifetime, lease: access.makeLease(for: context.requester, of: session, share: share),
            isMember: isMember)
        if stream.lease != nil { openingStreams.add(stream, of: session.id) }
        if session.isAsleep, let asleep = context.asleep { settle(stream, of: asleep) }
        // The request may have waited, and was authenticated before that.
        endIfRevoked(stream)
        return stream
    }

    /// Reserves a stream of the server, which whoever calls this releases, and one of the client. Returns the client's; nil if it is
    /// not limited.
    func reserveStream(for request: HTTPRequest, from requester: Requester) throws(ProblemDetails) -> StreamShare? {
        let share = try access.reserveStream(for: request, from: requester)
        guard host.reserveStream() else {
            throw .tooManyStreams("The server has reached its limit of streams (sessions.maxStreams).")
        }
        return share
    }

    /// Returns the id of the last event that the client has received, from `Last-Event-ID` or, for clients that cannot set
    /// fields, from the query; empty if none exists.
    func lastEventID(of request: HTTPRequest) -> [UInt8] {
        if let text = request.fields.withValue(.lastEventID, { Array($0) }), !text.isEmpty { return text }
        return request.queryValue("lastEventID").map { Array($0.utf8) } ?? []
    }

    /// Returns the outputs that the client selects from those of its view; nil for all.
    ///
    /// - Parameter only: The names of the outputs, separated by commas; nil for all.
    func filter(
        _ only: String?, _ machine: RegisteredMachine, _ view: OutputFilter?
    ) throws(ProblemDetails) -> OutputFilter? {
        guard let only else { return view }
        var indices: Set<Int> = []
        var names: Set<String> = []
        for name in only.split(separator: ",").map(String.init) {
            // An output outside of the view does not exist.
            guard let index = machine.output(named: name), view?.indices.contains(index) ?? true else {
                throw SessionShard.noOutput(of: machine, view)
            }
            indices.insert(index)
            names.insert(name)
        }
        return OutputFilter(indices: indices, names: names, tag: view?.tag ?? 0)
    }

    private static func noOutput(of machine: RegisteredMachine, _ view: OutputFilter?) -> ProblemDetails {
        let names = machine.definition.outputs.lazy.map(\.name).filter { view?.names.contains($0) ?? true }
        let all = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return .notFound(
            "The machine \"\(machine.definition.name)\" has no output with a name in \"only\". Its outputs are: \(all)."
        )
    }

    /// Returns a query parameter, decoded; nil if it is missing.
    func parameter(_ name: String, of request: HTTPRequest) throws(ProblemDetails) -> String? {
        guard let query = request.query else { return nil }
        if let value = request.queryValue(name) { return value }
        guard !query.split(separator: "&").contains(where: { $0.hasPrefix(name + "=") }) else {
            throw .malformedQuery("The parameter \"\(name)\" must be percent-encoded UTF-8.")
        }
        return nil
    }

    /// The configured lifetime plus or minus a tenth, so that streams that were opened together do not end together.
    var jitteredLifetime: Tick {
        // Half of the range, as deadlines add to it and must not overflow.
        guard let lifetime = host.configuration.streamLifetime?.ticks else { return Tick.max / 2 }
        return Tick.random(in: (lifetime - lifetime / 10)...(lifetime + lifetime / 10))
    }
}
