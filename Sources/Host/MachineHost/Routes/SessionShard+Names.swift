import Access
import HTTPModel
import Locking
import StateCapture

// Sessions that are found or created by their names. One loop has all sessions of a name, so that two requests for it meet there.
extension SessionShard {
    /// Finds the session of the requester with a name. Returns nil if it is in memory or does not exist.
    ///
    /// - Parameter loads: Whether a session that is not in memory is looked up in the journal.
    func locate(
        named text: String, _ requested: RequestedSession, for request: HTTPRequest, _ context: inout RequestContext,
        loads: Bool
    ) throws(ProblemDetails) -> HTTPAnswer? {
        guard case .principal(_, let hash) = context.requester else { throw .nameWithoutPrincipal }
        let (place, id) = requested.named ?? host.place(named: text, of: hash, requested.machine)
        requested.named = (place, id)
        let index = id.loop(of: loop.count)
        let isHere = index == loop.index
        let mayBeStored = loads && requested.machine.durability > .memory && host.journal != nil
        guard !isHere || mayBeStored && sessions[place] == nil else { return nil }
        let waiting = PendingRequest(request, context, resumingAt: .perform)
        if isHere { find(place, for: waiting) } else { pass(waiting, toLoop: index) }
        return .deferred(waiting.promise)
    }

    /// Responds with the session that has the name of a request, which is created if it does not exist.
    func createNamed(
        _ request: HTTPRequest, _ context: inout RequestContext, _ requested: RequestedSession,
        _ named: (place: NamedPlace, id: SessionID)
    ) throws(ProblemDetails) -> HTTPResponse {
        if let session = sessions[named.place] { return try reopen(session, requested, &context) }
        try access.authorizeCreation(of: requested.machine, by: context.requester)
        return try createUnkeyed(request, &context, requested, named)
    }

    /// Responds with a session that has the name of a request.
    private func reopen(
        _ session: Session, _ requested: RequestedSession, _ context: inout RequestContext
    ) throws(ProblemDetails) -> HTTPResponse {
        renewLeases(of: session, by: context.requester)
        if try access.authorize(.read, on: session, for: context.requester) { storeTickets(of: session) }
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

    /// Queues a request until it is known whether a session with its name is stored.
    private func find(_ place: NamedPlace, for waiting: PendingRequest) {
        readJournal(for: waiting) { journal in
            let found = Result { try journal?.session(named: place.name, of: place.machine) }
            return { shard, waiting in shard.wasFound(found, for: waiting) }
        }
    }

    private func wasFound(_ found: Result<StoredSessionID?, any Error>, for waiting: PendingRequest) {
        switch found {
        // Not a new session: the stored one would lose its name.
        case .failure: respond(to: waiting, with: SessionShard.unknownName)
        case .success(let id?) where sessions[id] == nil && id.loop(of: loop.count) == loop.index:
            load(id, named: nil, for: waiting)
        case .success: resume(waiting)
        }
    }

    private static let unknownName = ProblemDetails.unavailable("the name cannot be looked up", retryAfter: 5)
}

// Requests that another loop answers.
extension SessionShard {
    /// Forwards a request to another loop, which responds to it.
    // The server cannot place such a request: who it comes from is known only when it is authenticated, which may take time.
    private func pass(_ waiting: PendingRequest, toLoop index: Int) {
        guard let address = host.shards[index] else { return respond(to: waiting, with: SessionShard.closing) }
        let cause = pending.nextAnswer()
        guard wait(waiting, for: cause) else { return }
        let (request, requester) = (waiting.request, UnsafeTransfer(waiting.requester))
        address.execute(for: WorkSource(request.peer)) { [loop, shard = UnsafeTransfer(backReference)] other in
            @Sendable func finish(_ response: HTTPResponse) {
                // Content that is produced while it is sent belongs to its loop.
                let response = UnsafeTransfer(response.withCompleteBody)
                loop.execute {
                    guard let shard = shard.value.shard, let waiting = shard.pending.take(cause) else { return }
                    shard.respond(to: waiting, with: response.value)
                }
            }
            guard let other else { return finish(SessionShard.closing.response) }
            switch other.respond(to: request, from: requester.value) {
            case .response(let response): finish(response)
            case .deferred(let answer): answer.whenFulfilled { finish($0) }
            }
        }
    }

    private static let closing = ProblemDetails.unavailable("the server is shutting down", retryAfter: 5)
}

extension HTTPResponse {
    /// The response with its content in memory.
    fileprivate var withCompleteBody: HTTPResponse {
        guard case .stream(let stream) = body, stream.contentLength != nil else { return self }
        var response = self
        response.body = .bytes(stream.readAll())
        return response
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
    /// Returns the place of a principal's session with a name, and an id for a new session there.
    func place(
        named text: String, of hash: PrincipalHash, _ machine: RegisteredMachine
    ) -> (place: NamedPlace, id: SessionID) {
        let name = SessionName(owner: SessionOwner(hash), text: text)
        let place = NamedPlace(machine: machine.definition.name, name: name)
        return (place, SessionID.random(named: digest(of: place)))
    }

    /// Returns the digest that places the sessions of a name on a loop.
    private func digest(of place: NamedPlace) -> RequestDigest {
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
