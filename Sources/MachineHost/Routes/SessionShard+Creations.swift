import HTTPModel

// Requests for new sessions with an `Idempotency-Key`.
extension SessionShard {
    /// The shortest key for a new session, which has the strength of a session id.
    // The response to such a key contains the session's id, so a client that guesses a key obtains the session.
    private static let shortestCreationKey = 22

    /// Creates a session for a request with a key, or repeats the first response.
    func createKeyed(
        _ request: HTTPRequest, of machine: RegisteredMachine
    ) throws(ProblemDetails) -> HTTPResponse {
        let text = try keyText(of: request, shortest: SessionShard.shortestCreationKey)
        let id = host.durability(of: machine) > .memory ? storedID(ofCreationKey: text) : nil
        if let id, isUnknown(id), knownToBeMissing != id {
            // An earlier process may have created it.
            missing = id
            throw .noSession
        }
        let key = host.digestKey.digest(of: text.utf8)
        let window = creations ?? IdempotencyWindow()
        creations = window
        defer { chargeCreations() }
        switch window.receive(key, request: digest(of: request), now: tick, limits: creationLimits) {
        case .run: break
        case .replay(let content): return repeatCreation(content)
        case .mismatch: throw .idempotencyMismatch
        case .running: throw .idempotencyConflict
        case .full(let seconds): throw .tooManyKeys("The server remembers", retryAfter: seconds)
        }
        do throws(ProblemDetails) {
            let earlier = try earlierSession(id, of: machine)
            let session = if let earlier { earlier } else { try makeSession(of: machine, for: request.peer, id: id) }
            let body = description(of: session)
            let id = session.id.text
            window.finish(
                key, response: body.bytes.map { Array(id.utf8) + $0 },
                short: { Array(id.utf8) + self.shortDescription(of: session) }, limits: creationLimits)
            let response = created(id, body: body)
            return earlier == nil ? response : replay(response)
        } catch {
            window.abandon(key)
            throw error
        }
    }

    /// Returns the loop of the session that a request with a key creates; nil for a request without a key.
    func creationLoop(of request: HTTPRequest) -> Int? {
        guard host.configuration.idempotencyKeys > 0, request.fields.contains(.idempotencyKey),
            let key = try? keyText(of: request, shortest: 1)
        else { return nil }
        // All loops must agree: a retry may arrive on another connection, and another loop would create a second
        // session.
        return SessionID(ofCreationKey: key.utf8).loop(of: loop.count)
    }

    /// Returns the id of the session that a key creates; nil if the request was placed on another loop.
    private func storedID(ofCreationKey key: Substring) -> SessionID? {
        let id = SessionID(ofCreationKey: key.utf8)
        return id.loop(of: loop.count) == loop.index ? id : nil
    }

    /// Returns the session that an earlier process created; nil if there is none.
    private func earlierSession(_ id: SessionID?, of machine: RegisteredMachine) throws(ProblemDetails) -> Session? {
        guard let id, !isUnknown(id) else { return nil }
        let session = try session(id)
        guard session.machineKind === machine else { throw .idempotencyMismatch }
        return session
    }

    private func repeatCreation(_ content: [UInt8]) -> HTTPResponse {
        let text = Array(content.prefix(SessionID.textCount))
        if let id = text.withUnsafeBufferPointer({ SessionID($0) }) {
            // The session may not be stored yet.
            gatedBy = sessions[id]?.lastSequence ?? endings[id] ?? 0
        }
        let body = Array(content.dropFirst(SessionID.textCount))
        return replay(created(String(decoding: text, as: UTF8.self), body: .bytes(body)))
    }
}
