public import HTTPModel
import Log

/// The sessions of one event loop, and the answers to requests about them: everything under `/v1` and `/health`; any other
/// path is answered with 404. Confined to its loop.
public final class SessionShard: HTTPResponder {
    let host: SessionHost
    let loop: any EventLoop
    let times: DeadlineTimes
    let historyLimits: History.Limits
    let idempotencyLimits: IdempotencyWindow.Limits
    let creationLimits: IdempotencyWindow.Limits
    /// Keyed requests for new sessions, once there was one.
    var creations: IdempotencyWindow?
    /// What the host has been charged for them.
    private var creationCharge = 0
    /// The fields of an answer in JSON.
    let jsonFields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    @exclusivity(unchecked) private(set) var isDraining = false
    @exclusivity(unchecked) private(set) var sessions: [SessionID: Session] = [:]
    private(set) var ended = EndedSessions()
    private var buckets = DeadlineBuckets<SessionID>()
    private var isSweeping = false
    private let beginning: MonotonicTime
    private var nextPlacement: Int
    /// Where turns write their changes.
    @exclusivity(unchecked) private var scratch: [UInt8] = []
    /// The turn that runs on this loop.
    @exclusivity(unchecked) var currentTurn: CurrentTurn?
    @exclusivity(unchecked) var turnWatch: TurnWatch

    private let backReference = BackReference()

    /// What a change that is not large fits into.
    private static let largestScratch = 2 * SharedText.threshold

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
        backReference.shard = self
    }

    deinit {
        backReference.shard = nil
        for session in sessions.values { session.abandon() }
        host.release(creationCharge)
    }

    /// The loop of the session that the path names; the loops in turn for a request that makes one, or the loop that
    /// remembers its key.
    public func placement(of request: HTTPRequest) -> Int? {
        guard loop.count > 1 else { return nil }
        if let index = Route.loop(ofSessionIn: request.target, of: loop.count) { return index }
        guard request.method == .post, Route(target: request.target) == .sessions else { return nil }
        if let index = creationLoop(of: request) { return index }
        nextPlacement = (nextPlacement + 1) % loop.count
        return nextPlacement
    }

    /// Answers at once, on the loop.
    public func respond(to request: HTTPRequest) -> HTTPAnswer {
        do throws(ProblemDetails) {
            return .response(try answer(to: request))
        } catch {
            return .response(error.response)
        }
    }

    /// Every stream ends with `draining`; no session is made and no stream stays open from now on. Inputs are still taken.
    public func drain() {
        isDraining = true
        for session in sessions.values {
            for stream in session.streams { stream.end(.draining) }
        }
    }

    /// Seconds since the shard was made.
    var tick: Tick { Tick(truncatingIfNeeded: (loop.now.nanoseconds - beginning.nanoseconds) / 1_000_000_000) }

    func takeScratch() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &scratch)
        taken.removeAll(keepingCapacity: true)
        return taken
    }

    /// Takes the scratch back with what is in it, and frees the room that large values have taken in it. A large change is
    /// not read from there.
    func giveBack(_ scratch: [UInt8]) {
        guard scratch.capacity > SessionShard.largestScratch else {
            self.scratch = scratch
            return
        }
        self.scratch = scratch.count <= SharedText.threshold ? Array(scratch[...]) : []
    }

    /// What the last turn wrote there.
    func appendScratch(_ range: Range<Int>, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: scratch[range])
    }
}

// Lives of sessions.
extension SessionShard {
    /// Makes a session of that machine, which lives here and counts as the peer's.
    func makeSession(of machine: RegisteredMachine, for peer: HTTPPeer) throws(ProblemDetails) -> Session {
        guard !isDraining else { throw .unavailable("the server is shutting down", retryAfter: 5) }
        guard host.hasRoom(forSessionOf: .max) else { throw .noRoom }
        let client = try host.reserveSession(for: peer, now: loop.now)
        let id = SessionID.random(onLoop: loop.index, of: loop.count)
        let session = Session(id: id, machine: machine, client: client, shard: self)
        sessions[session.id] = session
        do {
            try session.start()
        } catch {
            throw .machineFailed(incident: fail(session, error))
        }
        watch(session)
        return session
    }

    /// Ends a session and remembers that it was there.
    func end(_ session: Session, _ reason: EndReason) {
        guard sessions.removeValue(forKey: session.id) != nil else { return }
        let configuration = host.configuration
        ended.expire(now: tick)
        ended.insert(
            session.id, now: tick, window: configuration.endedWindow.ticks, limit: configuration.endedSessions)
        host.releaseSession(of: session.client, now: loop.now)
        session.stop(reason)
    }

    /// Ends a session whose machine failed, and says so in the log; gives what the client is told to quote.
    func fail(_ session: Session, _ error: any Error) -> String {
        let incident = (0..<8).map { _ in Hexadecimal.text(of: UInt8.random(in: .min ... .max)) }.joined()
        host.log.limited(
            .error, "session failed",
            [
                "incident": .text(incident), "session": .text(session.id.hash),
                "machine": .text(session.machineKind.definition.name), "reason": .error(error),
            ])
        end(session, .failed(incident: incident))
        return incident
    }

    /// Sees to it that the session is looked at when something of it is due.
    func watch(_ session: Session) {
        let deadline = session.nextDeadline(times)
        let now = tick
        if !isSweeping {
            isSweeping = true
            buckets.skip(to: now)
            armSweep()
        }
        guard session.lookedAt <= buckets.now || deadline < session.lookedAt else { return }
        session.lookedAt = buckets.insert(session.id, deadline: deadline)
    }

    /// Has the host count what the keys of new sessions take.
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
        let now = tick
        if let creations {
            creations.expire(now: now)
            chargeCreations()
        }
        while buckets.count > 0, buckets.now < now {
            for id in buckets.advance() {
                guard let session = sessions[id], session.lookedAt == buckets.now else { continue }
                if session.performDue(now: now, times) {
                    end(session, .expired)
                } else {
                    session.lookedAt = buckets.insert(id, deadline: session.nextDeadline(times))
                }
            }
        }
        if buckets.count > 0 { armSweep() } else { isSweeping = false }
    }
}

/// Leads a timer to its shard for as long as the shard exists. Confined to the shard's loop.
private final class BackReference {
    // Not a weak reference to the shard: the first one moves an object's reference counts to a side table, which makes each
    // retain and release of the shard several times as expensive, and every request has a dozen of them. The shard clears
    // this reference in its `deinit`.
    unowned(unsafe) var shard: SessionShard?
}
