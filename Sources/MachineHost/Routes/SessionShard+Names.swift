import Access
import HTTPModel
import JSONText
import Locking
import StateCapture

// Sessions that are found or created by their names. One loop has all sessions of a name, so that two requests for it meet there.
extension SessionShard {
    /// Returns the session of the requester with a name, which is created if it does not exist.
    ///
    /// - Parameter looksUp: Whether a session that is not in memory is looked up in the journal first.
    func createNamed(
        _ request: HTTPRequest, _ context: inout RequestContext, _ requested: RequestedSession, as text: String,
        looksUp: Bool
    ) throws(ProblemDetails) -> HTTPResponse {
        guard case .principal(_, let hash) = context.requester else { throw .nameWithoutPrincipal }
        let name = SessionName(owner: SessionOwner(hash), text: text)
        let place = NamedPlace(machine: requested.machine.definition.name, name: name)
        let id = SessionID.random(named: host.digest(of: place))
        let index = id.loop(of: loop.count)
        // Requests are routed by methods that return a response or throw a problem. The context keeps the others as cheap as they are.
        guard index == loop.index else {
            context.laterAnswer = pass(request, from: context.requester, toLoop: index)
            throw .noSession
        }
        if let session = names[place] { return try reopen(session, requested, &context) }
        if looksUp, requested.machine.durability > .memory, host.journal != nil {
            context.laterAnswer = find(place, for: RoutedRequest(request, .sessions, from: context.requester))
            throw .noSession
        }
        try permitCreation(of: requested.machine, by: context.requester)
        let session = try makeSession(
            of: requested.machine, for: request.peer, &context, in: request.trace, id: id,
            stating: requested.creation(named: name))
        let view = visibleOutputs(of: session, to: context.requester)
        return created(session.id.text, session.position(for: view), body: description(of: session, view))
    }

    /// Responds with a session that has the name of a request.
    private func reopen(
        _ session: Session, _ requested: RequestedSession, _ context: inout RequestContext
    ) throws(ProblemDetails) -> HTTPResponse {
        renewLeases(of: session, by: context.requester)
        try permit(.read, on: session, to: context.requester)
        guard SessionShard.areSame(session.context.creation?.parameters, requested.parameters) else {
            throw .differentParameters(named: requested.name ?? "")
        }
        session.lastActivity = tick
        // The creation may still wait for the journal. A client must not learn of a session that could be lost.
        context.wait(for: session.lastSequence)
        let view = visibleOutputs(of: session, to: context.requester)
        var response = HTTPResponse(status: .ok, fields: jsonFields, body: description(of: session, view))
        response.fields.append(.location, HTTPFieldValue("/v1/sessions/\(session.id.text)") ?? "")
        response.fields.append(entityTag: session.position(for: view))
        return response
    }

    /// Returns whether two parameters are the same JSON values, whatever the order of their members.
    private static func areSame(_ one: ArraySlice<UInt8>?, _ other: ArraySlice<UInt8>?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return StateValue.isSame(one, other, inAnyOrder: false)
    }

    /// Responds to a request for a name when it is known whether a session with it is stored.
    private func find(_ place: NamedPlace, for routed: RoutedRequest) -> HTTPAnswer {
        wait(routed) { waiting in
            // Passed through the journal's thread, and used on the loop only.
            let waiting = UnsafeTransfer(waiting)
            readJournal(for: WorkSource(routed.request.peer)) { journal in
                let found = Result { try journal?.session(named: place.name, of: place.machine) }
                return { shard in shard.wasFound(found, for: waiting.value) }
            }
        }
    }

    private func wasFound(_ found: Result<StoredSessionID?, any Error>, for waiting: WaitingRequest) {
        held.release(waiting.request)
        guard !isSuspended else { return respondLater(to: waiting) }
        switch found {
        // Not a new session: the stored one would lose its name.
        case .failure: waiting.promise.fulfil(SessionShard.unknownName.response)
        case .success(let id?) where stored[id] == nil && id.loop(of: loop.count) == loop.index:
            load(id, for: waiting)
        case .success: respond(to: waiting, loads: false)
        }
    }

    private static let unknownName = ProblemDetails.unavailable("the name cannot be looked up", retryAfter: 5)
}

// Requests that another loop answers.
extension SessionShard {
    /// Has another loop respond to a request.
    // The server cannot place such a request: who it comes from is known only when it is authenticated, which may take time.
    private func pass(_ request: HTTPRequest, from requester: Requester, toLoop index: Int) -> HTTPAnswer {
        guard let member = host.access.member(ofLoop: index), held.reserve(for: request) else {
            return .response(busy.response)
        }
        let promise = DeferredResponse()
        let waiting = UnsafeTransfer((promise: promise, shard: backReference, requester: requester))
        member.loop.execute(for: WorkSource(request.peer)) { [loop] in
            @Sendable func finish(_ response: HTTPResponse) {
                // Content that is produced while it is sent belongs to its loop.
                let response = UnsafeTransfer(response.withCompleteBody)
                loop.execute {
                    waiting.value.shard.shard?.held.release(request)
                    waiting.value.promise.fulfil(response.value)
                }
            }
            guard let shard = member.shard.value.shard else {
                return finish(ProblemDetails.unavailable("the server is shutting down", retryAfter: 5).response)
            }
            switch shard.respond(to: request, from: waiting.value.requester) {
            case .response(let response): finish(response)
            case .deferred(let answer): answer.whenFulfilled { finish($0) }
            }
        }
        return .deferred(promise)
    }
}

extension HTTPResponse {
    /// The response with its content in memory.
    fileprivate var withCompleteBody: HTTPResponse {
        guard case .stream(let stream) = body, stream.contentLength != nil else { return self }
        var response = self
        var bytes: [UInt8] = []
        stream.start(NobodyReads())
        while case .more = stream.read(into: &bytes, limit: 1 << 16) {}
        response.body = .bytes(bytes)
        return response
    }

    private final class NobodyReads: HTTPBodyConsumer {
        func bodyIsReady() {}
    }
}

extension SessionOwner {
    /// Creates the owner that a principal's hash stands for.
    init(_ hash: PrincipalHash) {
        let words = [0, 8].map { start in hash.bytes[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: words[0], low: words[1])
    }

    /// The principal's hash.
    var hash: PrincipalHash? {
        PrincipalHash(withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) })
    }
}

extension SessionHost {
    /// Returns the digest that places the sessions of a name on a loop.
    func digest(of place: NamedPlace) -> RequestDigest {
        var bytes = Array("session name".utf8)
        for word in [place.name.owner.high, place.name.owner.low] {
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
        // Neither of both contains a zero byte.
        bytes += place.machine.utf8 + [0] + place.name.text.utf8
        return digestKey.digest(of: bytes)
    }
}

extension SessionID {
    /// Returns a new id of a session with a name.
    ///
    /// The 32 bits that determine the loop are those of the name's digest. So all sessions of a name belong to one loop,
    /// whatever the number of loops is. The other 96 bits are random.
    static func random(named digest: RequestDigest) -> SessionID {
        var generator = SystemRandomNumberGenerator()
        let high: UInt64 = digest.high & 0xFFFF_FFFF_0000_0000 | generator.next() & 0xFFFF_FFFF
        return SessionID(high: high, low: generator.next())
    }
}
