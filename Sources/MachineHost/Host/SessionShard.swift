public import HTTPModel
import Log

/// The sessions of one event loop, and the responder for everything under `/v1` and `/health`; other paths get 404.
/// Confined to its loop.
public final class SessionShard: HTTPResponder {
    // Unchecked exclusivity: the shard is confined to its loop, and no access lasts across a call to the machine. The runtime's
    // checks of these properties were 3 % of the instructions of an input.
    let host: SessionHost
    let loop: any EventLoop
    let times: DeadlineTimes
    let historyLimits: History.Limits
    let idempotencyLimits: IdempotencyWindow.Limits
    let creationLimits: IdempotencyWindow.Limits
    /// The remembered requests for new sessions; nil until the first one.
    var creations: IdempotencyWindow?
    /// The bytes that the host counts for ``creations``.
    private var creationCharge = 0
    /// The fields of a JSON response.
    let jsonFields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    @exclusivity(unchecked) private(set) var isDraining = false
    @exclusivity(unchecked) private(set) var sessions: [SessionID: Session] = [:]
    private(set) var ended = EndedSessions()
    private var buckets = DeadlineBuckets<SessionID>()
    private var isSweeping = false
    private let beginning: MonotonicTime
    private var nextPlacement: Int
    /// The buffer into which turns write their changes. Reused, so that a small change allocates nothing.
    @exclusivity(unchecked) private var scratch: [UInt8] = []
    /// The turn that is running on this loop.
    @exclusivity(unchecked) var currentTurn: CurrentTurn?
    @exclusivity(unchecked) var turnWatch: TurnWatch
    /// What waits for the journal.
    @exclusivity(unchecked) var gate = OutputGate()
    /// The number of the change on which the response in progress depends; 0 if it depends on none.
    @exclusivity(unchecked) var gatedBy: UInt64 = 0
    /// The sessions in memory that are stored, by their stored ids.
    var stored: [StoredSessionID: Session] = [:]
    /// The sessions that sleep.
    var hibernation = Hibernation()
    /// The ends of sessions that are not stored yet.
    var endings: [SessionID: UInt64] = [:]
    /// The sessions that are being loaded.
    var loading: [StoredSessionID: LoadingSession] = [:]
    /// The changes that are not being stored yet; nil if no sessions are stored.
    @exclusivity(unchecked) var openBatch: JournalWriter.OpenBatch?
    /// Why turns of stored sessions wait; empty if they run.
    @exclusivity(unchecked) var hold: TurnHold = []
    /// What waits meanwhile.
    var held = HeldWork()
    /// Whether the open batch will be stored at the end of the round.
    var isFlushRequested = false
    /// The wall time in nanoseconds since 1970 at which the loop's clock was zero.
    let clockOffset: Int64
    /// The input that the turn in progress runs, for the journal.
    var trigger = TurnRecord.Trigger.scheduled
    /// Where the turn in progress is noted for the next process; nil if it is not.
    @exclusivity(unchecked) var turnSlot: TurnSlot?
    /// The buffer into which captured states are written.
    private var states: [UInt8] = []

    /// The capacity that fits every change that is not large.
    private static let largestScratch = 2 * SharedText.threshold

    let backReference = BackReference()

    init(host: SessionHost, loop: any EventLoop) {
        self.host = host
        self.loop = loop
        times = DeadlineTimes(host.configuration)
        historyLimits = History.Limits(
            changes: host.configuration.historyChanges, bytes: host.configuration.historyBytes)
        idempotencyLimits = host.configuration.idempotencyLimits
        creationLimits = host.configuration.creationLimits(loops: loop.count)
        turnWatch = TurnWatch(warning: host.configuration.turnWarning)
        beginning = loop.now
        nextPlacement = loop.index
        clockOffset = host.wallClock().sinceBeginning - Int64(truncatingIfNeeded: loop.now.nanoseconds)
        backReference.shard = self
        listenToJournal()
    }

    deinit {
        backReference.shard = nil
        // Streams hold their sessions, and sessions hold their shard unowned. A stream that a connection still reads
        // must not reach the deallocated shard.
        // Those of sleeping sessions find their shard by its reference, which is nil now.
        for session in sessions.values { session.abandon() }
        host.release(creationCharge)
    }

    /// Returns the loop that serves a request: the loop of the session that the path names, the loop that remembers an
    /// idempotency key, or the next loop in turn for a new session. Nil if any loop will do.
    public func placement(of request: HTTPRequest) -> Int? {
        guard loop.count > 1 else { return nil }
        if let index = Route.loop(ofSessionIn: request.target, of: loop.count) { return index }
        guard request.method == .post, Route(target: request.target) == .sessions else { return nil }
        if let index = creationLoop(of: request) { return index }
        nextPlacement = (nextPlacement + 1) % loop.count
        return nextPlacement
    }

    /// Responds synchronously, on the loop.
    ///
    /// A response that depends on a turn is promised until the journal has stored the turn.
    public func respond(to request: HTTPRequest) -> HTTPAnswer {
        if let journal = host.journal, journal.phase != .open || !hold.isEmpty, let answer = holdBack(request) {
            return answer
        }
        return respond(to: request, loads: true)
    }

    /// - Parameter loads: Whether a session that is not in memory is loaded first.
    func respond(to request: HTTPRequest, loads: Bool) -> HTTPAnswer {
        gatedBy = 0
        if loads, host.journal != nil, let key = unknownCreationKey(of: request) { return recall(key, for: request) }
        let response: HTTPResponse
        do throws(ProblemDetails) {
            response = try answer(to: request)
        } catch {
            if loads, host.journal != nil, let id = Route(target: request.target).session, isUnknown(id) {
                return load(id, for: request)
            }
            response = error.response
        }
        guard gatedBy > gate.stored else { return .response(response) }
        return .deferred(gate.hold(response, until: gatedBy))
    }

    /// Returns whether a session is neither in memory nor known to have ended.
    func isUnknown(_ id: SessionID) -> Bool { sessions[id] == nil && !ended.contains(id) }

    /// Ends all streams with the reason `draining`. From then on, no sessions are created, and each new stream ends
    /// after its snapshot. Inputs are still accepted.
    public func drain() {
        isDraining = true
        for session in sessions.values {
            for stream in session.streams { stream.end(.draining) }
        }
        endDormantStreams(.draining)
    }

    /// The number of seconds since the shard was created.
    var tick: Tick { Tick(truncatingIfNeeded: (loop.now.nanoseconds - beginning.nanoseconds) / 1_000_000_000) }

    /// Returns the scratch buffer, empty. The caller passes it back to ``returnScratch(_:)``.
    func takeScratch() -> [UInt8] {
        var taken: [UInt8] = []
        // Moving it out keeps the buffer uniquely referenced, so that appending does not copy it.
        swap(&taken, &scratch)
        taken.removeAll(keepingCapacity: true)
        return taken
    }

    /// Takes the scratch buffer back with its content, for ``appendScratch(_:to:)``.
    func returnScratch(_ scratch: [UInt8]) {
        // A large value must not pin its memory to the loop. Nobody reads a large change from here: it has its own
        // text.
        guard scratch.capacity > SessionShard.largestScratch else {
            self.scratch = scratch
            return
        }
        self.scratch = scratch.count <= SharedText.threshold ? Array(scratch[...]) : []
    }

    /// Returns a range of the text that the last turn wrote, until the next turn.
    func scratchSlice(_ range: Range<Int>) -> ArraySlice<UInt8> { scratch[range] }

    /// Returns the buffer for captured states, empty. The caller passes it back to ``returnStates(_:)``.
    func takeStates() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &states)
        taken.removeAll(keepingCapacity: true)
        return taken
    }

    func returnStates(_ states: [UInt8]) {
        // Large states must not pin their memory to the loop.
        if states.capacity <= SessionShard.largestScratch { self.states = states }
    }

    /// Returns what causes the turn in progress, and forgets it.
    func takeTrigger() -> TurnRecord.Trigger {
        defer { trigger = .scheduled }
        return trigger
    }

    /// Appends a range of the text that the last turn wrote.
    func appendScratch(_ range: Range<Int>, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: scratch[range])
    }
}

// The lifetimes of sessions.
extension SessionShard {
    /// Creates a session of a machine on this loop, counted for a peer.
    ///
    /// - Parameter creation: The key of the request; nil if it has none.
    func makeSession(
        of machine: RegisteredMachine, for peer: HTTPPeer, keyed creation: KeyedCreation? = nil
    ) throws(ProblemDetails) -> Session {
        guard !isDraining else { throw .unavailable("the server is shutting down", retryAfter: 5) }
        guard host.hasRoom(forSessionOf: .max) else { throw .noRoom }
        if machine.durability > .memory, host.journal?.lacksSpace == true { throw .diskFull }
        let client = try host.reserveSession(for: peer, now: loop.now)
        let id = SessionID.random(onLoop: loop.index, of: loop.count)
        let session = Session(
            id: id, machine: machine, client: client, shard: self, storage: makeStorage(for: machine, id))
        // Before `start`: a factory that fails goes through `fail`, which removes the session and releases its
        // reservation.
        add(session)
        do {
            try session.start()
            try storeCreation(of: session, keyed: creation)
            gatedBy = session.lastSequence
        } catch {
            throw .machineFailed(incident: fail(session, error))
        }
        scheduleCheck(of: session)
        return session
    }

    /// Adds a session.
    func add(_ session: Session) {
        sessions[session.id] = session
        if let storage = session.storage { stored[storage.id] = session }
    }

    /// Gives a session the id that clients hold.
    func rename(_ session: Session, _ id: SessionID) {
        sessions[session.id] = nil
        session.id = id
        sessions[id] = session
        session.nextCheck = 0
        scheduleCheck(of: session)
    }

    /// Removes a session from memory only.
    func forget(_ session: Session) {
        guard sessions.removeValue(forKey: session.id) != nil else { return }
        if let storage = session.storage { stored[storage.id] = nil }
        host.releaseSession(of: session.client, now: loop.now)
        session.stop(.draining)
    }

    /// Remembers a session that has ended, so that requests for it get 410 with the reason, if it is known.
    func noteEnd(of id: SessionID, _ reason: EndReason?) {
        let configuration = host.configuration
        ended.expire(now: tick)
        ended.insert(
            id, reason, now: tick, window: configuration.endedWindow.ticks, limit: configuration.endedSessions)
    }

    /// Ends a session and remembers its id.
    func end(_ session: Session, _ reason: EndReason) {
        // Also guards against re-entrancy: stopping the machine may end the session a second time.
        guard sessions.removeValue(forKey: session.id) != nil else { return }
        if let storage = session.storage { stored[storage.id] = nil }
        noteEnd(of: session.id, reason)
        host.releaseSession(of: session.client, now: loop.now)
        session.stop(reason)
        storeEnd(of: session, reason)
    }

    /// Ends a session whose machine failed, and logs the failure.
    ///
    /// - Returns: The incident id, which the client may quote and the log contains.
    func fail(_ session: Session, _ error: any Error) -> String {
        let incident = makeIncident()
        host.log.limited(
            .error, "session failed",
            [
                "incident": .text(incident), "session": .text(session.id.hash),
                "machine": .text(session.machineKind.definition.name), "reason": .error(error),
            ])
        end(session, .failed(incident: incident))
        return incident
    }

    /// Returns the id of a new incident, which a client may quote and the log contains.
    func makeIncident() -> String {
        Incident.random()
    }

    /// Schedules the next check of a session's deadlines, if none is scheduled early enough.
    func scheduleCheck(of session: Session) {
        let deadline = session.nextDeadline(times)
        startSweeping()
        // A check that runs too early reinserts the session with its current deadline. So a request that moves a
        // deadline later costs nothing here.
        guard session.nextCheck <= buckets.now || deadline < session.nextCheck else { return }
        session.nextCheck = buckets.insert(session.id, deadline: deadline)
    }

    /// Starts the sweep of each second, unless it is running.
    func startSweeping() {
        guard !isSweeping else { return }
        isSweeping = true
        buckets.skip(to: tick)
        hibernation.buckets.skip(to: tick)
        armSweep()
    }

    /// Updates the bytes that the host counts for the keys of new sessions.
    func chargeCreations() {
        guard let creations, let charge = RetentionStep.charge(for: creations.byteCount, now: creationCharge) else {
            return
        }
        host.retain(charge - creationCharge)
        creationCharge = charge
    }

    private func armSweep() {
        let next = beginning + .seconds(Int64(tick) + 1)
        _ = loop.schedule(after: next - loop.now) { [backReference] in backReference.shard?.sweep() }
    }

    private func sweep() {
        // Ending a session is a change that the other process would not know.
        guard !isSuspended else { return armSweep() }
        let now = tick
        if let creations {
            creations.expire(now: now)
            chargeCreations()
        }
        while buckets.count > 0, buckets.now < now {
            for id in buckets.advance() {
                // A session that was inserted again with an earlier deadline is in two buckets: only the bucket that
                // `nextCheck` names counts.
                guard let session = sessions[id], session.nextCheck == buckets.now else { continue }
                if session.performDue(now: now, times) {
                    end(session, .expired)
                } else if !sleepIfDue(session, now) {
                    session.nextCheck = buckets.insert(id, deadline: session.nextDeadline(times))
                }
            }
        }
        storeSleepers()
        checkDormant(now)
        // Without sessions there is no timer: an idle loop sleeps.
        if buckets.count + hibernation.buckets.count > 0 { armSweep() } else { isSweeping = false }
    }
}

/// A timer's reference to its shard, which is valid as long as the shard exists. Confined to the shard's loop.
final class BackReference {
    // Not a weak reference to the shard: the first one moves an object's reference counts to a side table, which makes
    // each retain and release of the shard several times as expensive, and every request performs about a dozen of
    // each. The shard clears this reference in its `deinit`.
    unowned(unsafe) var shard: SessionShard?
}
