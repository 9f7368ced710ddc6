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

    /// Returns the answer to a request that must wait; nil if it need not.
    func holdBack(_ request: HTTPRequest, _ route: Route, from requester: Requester) -> HTTPAnswer? {
        guard route.needsSessions, let journal = host.journal else { return nil }
        // Sessions that end with the process wait for nothing.
        if let id = route.session, let session = sessions[id], session.storage == nil, mayKnow(requester, session) {
            return nil
        }
        let routed = RoutedRequest(request, route, from: requester)
        if journal.phase == .open, hold.isEmpty { return joinArrivals(routed) }
        guard journal.phase != .closed else { return answerElsewhere(request) }
        let waiting = WaitingRequest(routed)
        return held.add(waiting) ? .deferred(waiting.promise) : .response(response(busy, to: request))
    }

    /// Has a request wait outside of the queue, if there is room.
    ///
    /// - Parameter begin: Keeps the request, and begins what it waits for. Whoever ends the wait releases it.
    func wait(_ routed: RoutedRequest, _ begin: (WaitingRequest) -> Void) -> HTTPAnswer {
        guard held.reserve(for: routed.request) else { return .response(response(busy, to: routed.request)) }
        let waiting = WaitingRequest(routed)
        begin(waiting)
        return .deferred(waiting.promise)
    }

    /// Returns the answer to a request that must wait for earlier ones for the same session; nil if there are none.
    private func joinArrivals(_ routed: RoutedRequest) -> HTTPAnswer? {
        guard let id = routed.route.session, arrivals[id] != nil else { return nil }
        return wait(routed) { arrivals[id]?.append($0, of: WorkSource(routed.request.peer)) }
    }

    /// Responds to the requests for a session that was loaded, as far as there is time, and to the others in later rounds.
    func answerArrivals(for id: SessionID) {
        while let waiting = arrivals[id]?.removeFirst() {
            held.release(waiting.request)
            if hold.isEmpty { respond(to: waiting, loads: true) } else { respondLater(to: waiting) }
            guard loop.isRoundOver else { continue }
            return loop.execute { [shard = UnsafeTransfer(backReference)] in
                shard.value.shard?.answerArrivals(for: id)
            }
        }
        arrivals[id] = nil
    }

    /// Responds to a request later, for example because its session can no longer be loaded here.
    func respondLater(to waiting: WaitingRequest) {
        guard host.journal?.phase != .closed else {
            return fulfil(waiting.promise, with: answerElsewhere(waiting.request))
        }
        if !held.add(waiting) { waiting.promise.fulfil(response(busy, to: waiting.request)) }
    }

    /// Responds to a request that has waited.
    func respond(to waiting: WaitingRequest, loads: Bool) {
        fulfil(waiting.promise, with: respond(to: waiting.routed, loads: loads))
    }

    /// The problem when too many requests wait.
    var busy: ProblemDetails {
        let reason = host.journal?.phase == .opening ? "the server is starting" : "too many requests wait for the disk"
        return .unavailable(reason, retryAfter: 1)
    }

    private static var moved: HTTPResponse {
        ProblemDetails.unavailable("another process continues the sessions", retryAfter: 1).response
    }

    /// Has another process respond to a request.
    private func answerElsewhere(_ request: HTTPRequest) -> HTTPAnswer {
        // A client of a stream reconnects with the position that it has reached.
        if MediaPreference(request.fields.list(.accept)).prefers("text/event-stream", to: "application/json") {
            return .response(SessionShard.endedStream)
        }
        guard let forward = host.journal?.forwarding.withLock({ $0 }) else { return .response(SessionShard.moved) }
        let promise = DeferredResponse()
        let waiting = UnsafeTransfer(promise)
        forward(request) { [loop] response in
            let response = UnsafeTransfer(response)
            loop.execute { waiting.value.fulfil(response.value ?? SessionShard.moved) }
        }
        return .deferred(promise)
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
        hold.remove(.suspension)
        releaseHeld()
    }

    /// Does what has waited, unless there is another reason to wait.
    func releaseHeld() {
        guard hold.isEmpty, !held.isEmpty else { return }
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
        while left > 0, hold.isEmpty, let waiting = held.takeRequest() {
            let routed = waiting.routed
            fulfil(waiting.promise, with: route(routed.request, routed.route, from: routed.requester))
            left = loop.isRoundOver ? 0 : left - 1
        }
        guard hold.isEmpty, !held.isEmpty else { return }
        hold = .release
        loop.execute { [backReference = UnsafeTransfer(backReference)] in backReference.value.shard?.continueRelease() }
    }

    /// Has another process respond to what waits, because it continues the sessions.
    func leave() {
        while let waiting = held.takeRequest() { fulfil(waiting.promise, with: answerElsewhere(waiting.request)) }
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
        stored.values.count { $0.context.declaredEffects?.awaitsAnswer ?? false }
    }
}

extension Session {
    /// Whether its turns must wait. Sessions that end with the process wait for nothing.
    var mustWait: Bool { storage != nil && !shard.hold.isEmpty }
}
