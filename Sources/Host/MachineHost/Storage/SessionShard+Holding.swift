import Access
import HTTPModel
import Locking

// Turns that wait: for the journal to be opened, for its backlog, or for the process that continues the sessions.
extension SessionShard {
    /// The number of held requests that are answered in one round.
    private static let requestsPerRound = 64

    /// Whether the sessions are with another process, or are being passed to it.
    var isSuspended: Bool { journal?.pause.isSuspended == true }

    /// Whether the turns of stored sessions wait.
    var isPaused: Bool { journal?.pause.isActive == true }

    /// Queues a request for a stored session as long as its turns wait, and behind earlier requests for the session. Returns nil if the
    /// request need not wait.
    func pause(_ request: HTTPRequest, _ context: RequestContext) -> HTTPAnswer? {
        guard let journal = host.journal, journal.phase != .open || isPaused || !pending.isEmpty,
            context.route.needsSessions
        else { return nil }
        // Sessions that end with the process wait for nothing.
        if let id = context.route.session, let session = sessions[id], session.storage == nil,
            context.requester.sees(session.owner, session.storedID)
        {
            return nil
        }
        let waiting: PendingRequest
        if journal.phase == .open, !isPaused {
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
            if isPaused { waitForTurns(waiting) } else { resume(waiting, at: .load) }
            guard loop.isRoundOver else { continue }
            return loop.execute { [shard = UnsafeTransfer(backReference)] in
                shard.value.shard?.answerArrivals(for: id)
            }
        }
    }

    private static let moved = ProblemDetails.unavailable("another process continues the sessions", retryAfter: 1)

    /// The response to a request that must not be repeated as if it had not been performed.
    private static let unanswered = ProblemDetails(
        status: .gatewayTimeout, kind: "unanswered", title: "Unanswered",
        detail:
            "Another process continues the sessions and has not responded. It may have performed the request: repeat it only "
            + "with the Idempotency-Key that it had.")

    /// Forwards a request to the process that continues the sessions.
    func forward(_ waiting: PendingRequest) {
        loop.assertCurrent()
        if let opening = waiting.context.opening { return opening.end() }
        // A client of a stream reconnects with the position that it has reached.
        if MediaPreference(waiting.request.fields.list(.accept)).prefers("text/event-stream", to: "application/json") {
            return respond(to: waiting, with: SessionShard.endedStream)
        }
        // The other process may wait longer with its response than this one does.
        if case .stream = waiting.context.route, waiting.request.queryValue("live") != nil {
            return respond(to: waiting, with: SessionShard.moved)
        }
        guard let forward = host.journal?.forwarding.withLock({ $0 }) else {
            return respond(to: waiting, with: SessionShard.moved)
        }
        let reply = UnsafeTransfer((waiting: waiting, shard: backReference))
        forward(waiting.request) { [loop] result in
            let result = UnsafeTransfer(result)
            loop.execute {
                let waiting = reply.value.waiting
                let problem: ProblemDetails
                switch result.value {
                // The other process has added the fields of the policy.
                case .success(let response): return waiting.promise.fulfil(response)
                case .failure(.unanswered) where ![.get, .head].contains(waiting.request.method):
                    problem = SessionShard.unanswered
                case .failure: problem = SessionShard.moved
                }
                guard let shard = reply.value.shard.shard else { return waiting.promise.fulfil(problem.response) }
                shard.respond(to: waiting, with: problem)
            }
        }
    }

    /// A stream that ends immediately, so that its client connects to the other process.
    private static var endedStream: HTTPResponse {
        var end = Array("event: end\ndata: ".utf8)
        EndReason.draining.appendData(to: &end)
        ChangeEvent.appendEnd(to: &end)
        return HTTPResponse(status: .ok, fields: .eventStream, body: .bytes(end))
    }

    /// Ends the backlog if the journal has caught up, so that turns run again.
    func endBacklog() {
        // Half of the limit, so that the loop does not alternate for each batch.
        guard let journal, journal.pause.isBacklog, journal.waitingBytes <= TurnJournal.maxWaitingBytes / 2 else {
            return
        }
        journal.pause.end(.backlog)
        releaseHeld()
    }

    /// Continues the sessions, because no other process does.
    func resume() {
        loop.assertCurrent()
        journal?.pause.end(.suspension)
        releaseHeld()
    }

    /// Does the work that has waited, unless there is another reason to wait.
    func releaseHeld() {
        guard let journal, !journal.pause.isActive, hasHeld(journal) else { return }
        journal.pause.begin(.release)
        continueRelease(journal)
    }

    private func hasHeld(_ journal: TurnJournal) -> Bool { journal.pause.hasWork || pending.contains(.turns) }

    /// Does a part of the work that has waited, and the rest in a later round. Requests that arrive meanwhile queue up behind it.
    private func continueRelease(_ journal: TurnJournal) {
        let isPaused = !journal.pause.isRelease
        journal.pause.end(.release)
        if isPaused { return }
        let work = journal.pause.takeWork()
        for (session, sequence) in work.effects { startEffects(of: session, upTo: sequence) }
        // Before requests: what a machine has begun has waited longest. One that still has to wait is added again.
        for scheduler in work.schedulers { scheduler.runReady() }
        var left = SessionShard.requestsPerRound
        while left > 0, !journal.pause.isActive, let waiting = pending.take(.turns) {
            resume(waiting, at: .pause)
            left = loop.isRoundOver ? 0 : left - 1
        }
        guard !journal.pause.isActive, hasHeld(journal) else { return }
        journal.pause.begin(.release)
        loop.execute { [shard = UnsafeTransfer(backReference)] in
            guard let shard = shard.value.shard, let journal = shard.journal else { return }
            shard.continueRelease(journal)
        }
    }

    /// Forwards the requests that wait for turns to the process that continues the sessions, and drops the work that waits here.
    func leave() {
        loop.assertCurrent()
        while let waiting = pending.take(.turns) { forward(waiting) }
        _ = journal?.pause.takeWork()
    }

    /// Begins the effects of stored turns, unless another process may ask them.
    func startEffects(of session: Session, upTo sequence: UInt64) {
        if let journal, journal.pause.isSuspended { return journal.pause.hold(effectsOf: session, upTo: sequence) }
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
    var mustWait: Bool { storage != nil && shard.isPaused }
}
