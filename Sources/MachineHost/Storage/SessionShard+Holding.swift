import Access
import HTTPModel
import Locking

// Turns that wait: for the journal to be opened, for its backlog, or for the process that continues the sessions.
extension SessionShard {
    /// The maximum number of bytes that may wait for the journal. Beyond it, turns wait.
    static let mostWaitingBytes = 4 << 20
    /// The number of held requests that are answered in one round.
    private static let requestsPerRound = 64

    /// Whether the sessions are with another process, or on the way to it.
    var isSuspended: Bool { hold.contains(.suspension) }

    /// Has a request for a stored session wait as long as its turns do, and behind earlier requests for the session. Returns nil if it need not.
    func pause(_ request: HTTPRequest, _ context: RequestContext) -> HTTPAnswer? {
        guard let journal = host.journal, journal.phase != .open || !hold.isEmpty || !pending.isEmpty,
            context.route.needsSessions
        else { return nil }
        // Sessions that end with the process wait for nothing.
        if let id = context.route.session, let session = sessions[id], session.storage == nil,
            context.requester.sees(session)
        {
            return nil
        }
        let waiting: PendingRequest
        if journal.phase == .open, hold.isEmpty {
            guard let id = context.route.session, pending.contains(.arrivals(id)) else { return nil }
            waiting = PendingRequest(request, context, resumingAt: .load)
            wait(waiting, for: .arrivals(id))
        } else {
            waiting = PendingRequest(request, context, resumingAt: .pause)
            waitForTurns(waiting)
        }
        return .deferred(waiting.promise)
    }

    /// Responds to the requests for a session that was loaded, as far as there is time, and to the others in later rounds.
    func answerArrivals(for id: SessionID) {
        loop.assertCurrent()
        while let waiting = pending.take(.arrivals(id)) {
            if hold.isEmpty { resume(waiting, at: .load) } else { waitForTurns(waiting) }
            guard loop.isRoundOver else { continue }
            return loop.execute { [shard = UnsafeTransfer(backReference)] in
                shard.value.shard?.answerArrivals(for: id)
            }
        }
    }

    private static let moved = ProblemDetails.unavailable("another process continues the sessions", retryAfter: 1)

    /// Has another process respond to a request.
    func forward(_ waiting: PendingRequest) {
        if let opening = waiting.context.opening { return opening.end() }
        // A client of a stream reconnects with the position that it has reached.
        if MediaPreference(waiting.request.fields.list(.accept)).prefers("text/event-stream", to: "application/json") {
            return respond(to: waiting, with: SessionShard.endedStream)
        }
        guard let forward = host.journal?.forwarding.withLock({ $0 }) else {
            return respond(to: waiting, with: SessionShard.moved)
        }
        let reply = UnsafeTransfer((waiting: waiting, shard: backReference))
        forward(waiting.request) { [loop] response in
            let response = UnsafeTransfer(response)
            loop.execute {
                let waiting = reply.value.waiting
                // The other process has added the fields of the policy.
                if let response = response.value { return waiting.promise.fulfil(response) }
                guard let shard = reply.value.shard.shard else {
                    return waiting.promise.fulfil(SessionShard.moved.response)
                }
                shard.respond(to: waiting, with: SessionShard.moved)
            }
        }
    }

    /// A stream that ends at once, so that its client connects to the other process.
    private static var endedStream: HTTPResponse {
        var end = Array("event: end\ndata: ".utf8)
        EndReason.draining.appendData(to: &end)
        ChangeEvent.appendEnd(to: &end)
        return HTTPResponse(status: .ok, fields: .eventStream, body: .bytes(end))
    }

    /// Lets turns run again if the journal has caught up.
    func endBacklog() {
        // Half of the limit, so that the loop does not alternate for each batch.
        guard hold.contains(.backlog), gate.waitingBytes <= SessionShard.mostWaitingBytes / 2 else { return }
        hold.remove(.backlog)
        releaseHeld()
    }

    /// Continues the sessions, because no other process does.
    func resume() {
        loop.assertCurrent()
        hold.remove(.suspension)
        releaseHeld()
    }

    private var hasHeld: Bool { !held.isEmpty || pending.contains(.turns) }

    /// Does what has waited, unless there is another reason to wait.
    func releaseHeld() {
        guard hold.isEmpty, hasHeld else { return }
        hold = .release
        continueRelease()
    }

    /// Does a part of what has waited, and the rest in a later round. Requests that arrive meanwhile queue up behind it.
    private func continueRelease() {
        guard hold == .release else {
            hold.remove(.release)
            return
        }
        hold = []
        let (effects, schedulers) = (held.effects, held.schedulers)
        (held.effects, held.schedulers) = ([], [])
        for (session, sequence) in effects { startEffects(of: session, upTo: sequence) }
        // Before requests: what a machine has begun has waited longest. One that still has to wait is added again.
        for scheduler in schedulers { scheduler.runReady() }
        var left = SessionShard.requestsPerRound
        while left > 0, hold.isEmpty, let waiting = pending.take(.turns) {
            resume(waiting, at: .pause)
            left = loop.isRoundOver ? 0 : left - 1
        }
        guard hold.isEmpty, hasHeld else { return }
        hold = .release
        loop.execute { [backReference = UnsafeTransfer(backReference)] in backReference.value.shard?.continueRelease() }
    }

    /// Has another process respond to what waits, because it continues the sessions.
    func leave() {
        loop.assertCurrent()
        while let waiting = pending.take(.turns) { forward(waiting) }
        held.schedulers = []
        held.effects = []
    }

    /// Begins the effects of stored turns, unless another process may ask them.
    func startEffects(of session: Session, upTo sequence: UInt64) {
        guard !isSuspended else { return held.effects.append((session, sequence)) }
        session.context.declaredEffects?.start(upTo: sequence)
    }

    /// The number of sessions with effects that wait for an answer.
    var awaitedEffects: Int {
        loop.assertCurrent()
        return sessions.storedValues.count { $0.context.declaredEffects?.awaitsAnswer ?? false }
    }
}

extension Session {
    /// Whether its turns must wait. Sessions that end with the process wait for nothing.
    var mustWait: Bool { storage != nil && !shard.hold.isEmpty }
}
