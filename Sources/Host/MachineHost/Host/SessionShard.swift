public import HTTPModel
import Telemetry

/// The sessions of one event loop, and the responder for everything under `/v1` and `/health`; other paths get 404.
/// Confined to its loop.
public final class SessionShard: HTTPResponder {
    // Unchecked exclusivity: the shard is confined to its loop, and no access lasts across a call to the machine. The runtime's
    // checks of these properties were 3 % of the instructions of an input.
    let host: SessionHost
    let loop: any EventLoop
    /// The metrics of the loop.
    let meter: ShardMeter
    let times: DeadlineTimes
    let idempotencyLimits: IdempotencyWindow.Limits
    let creations: RememberedCreations
    /// The fields of a JSON response.
    let jsonFields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    @exclusivity(unchecked) private(set) var isDraining = false
    @exclusivity(unchecked) var sessions = SessionTable()
    /// Whether the timer for the next check is running.
    var isSweeping = false
    private var nextPlacement: Int
    let turns: TurnRunner
    let topics: LoopTopics
    /// What operators learn of turns in addition; nil if turns are not measured.
    let recentTurns: RecentTurns?
    /// The loop's changes for the journal, and everything that waits until they are stored; nil if no sessions are stored.
    let journal: TurnJournal?
    /// Whether a later round will release what is stored.
    var isReleaseScheduled = false
    var hibernation = Hibernation()
    var combined = CombinedStreams()
    var loading = LoadingSessions()
    @exclusivity(unchecked) var pending = PendingRequests()
    /// The reads of the journal that requests wait for; nil if no sessions are stored.
    let reads: JournalReads?
    let clock: LoopClock
    /// The access control of the loop.
    let access: AccessGate
    /// The streams with a lease whose responses have not begun.
    @exclusivity(unchecked) var openingStreams = OpeningStreams()

    let backReference = BackReference()
    /// Returns whether the caller is on the loop, for the registries of all sessions.
    let isOnLoop: () -> Bool

    init(host: SessionHost, loop: any EventLoop, cells: MetricCells) {
        self.host = host
        self.loop = loop
        isOnLoop = { loop.isCurrent }
        meter = ShardMeter(host.catalogue, in: cells)
        times = DeadlineTimes(host.configuration)
        idempotencyLimits = host.configuration.idempotencyLimits
        creations = RememberedCreations(in: host, loops: loop.count)
        nextPlacement = loop.index
        clock = LoopClock(of: loop, in: host)
        turns = TurnRunner(of: loop, in: host, clock: clock)
        topics = LoopTopics(host.topics, loop)
        recentTurns = cells.areRead ? RecentTurns() : nil
        journal = SessionShard.journal(of: loop, in: host, clock: clock, recentTurns: recentTurns, for: backReference)
        reads = host.journal.map { [backReference] in JournalReads(of: $0, on: loop, for: backReference) }
        // Before the configuration is read, so that the shard learns of all later ones.
        host.shards.add(backReference, on: loop)
        access = AccessGate(host.access.current, of: host, on: loop)
        backReference.shard = self
        // The shard of a loop is created with its first request, which may come after the journal was opened.
        if host.journal?.phase == .open { journalWasOpened() }
    }

    deinit {
        backReference.shard = nil
        host.shards.remove(backReference, on: loop)
        // Streams hold their sessions, and sessions hold their shard unowned. A stream that a connection still reads
        // must not reach the deallocated shard.
        // Those of sleeping sessions find their shard by its reference, which is nil now.
        for session in sessions.values {
            session.abandon()
            if session.storage?.isStored != true { host.quotas.end(session.storedID) }
        }
    }

    /// Returns the loop that serves a request: the loop of the session that the path names, the loop that remembers an
    /// idempotency key, or the next loop in turn for a new session. Nil if any loop will do.
    public func placement(of request: HTTPRequest) -> Int? {
        loop.assertCurrent()
        guard loop.count > 1 else { return nil }
        if let index = Route.loop(ofSessionIn: request.target, of: loop.count) { return index }
        guard request.method == .post, Route(target: request.target) == .sessions else { return nil }
        if let index = creationLoop(of: request) { return index }
        nextPlacement = (nextPlacement + 1) % loop.count
        return nextPlacement
    }

    /// Uses a new configuration from now on.
    func replaceAccess(_ access: LoopAccess) {
        loop.assertCurrent()
        self.access.replace(with: access)
        endRevokedStreams()
    }

    /// Ends all streams with the reason `draining`. From then on, no sessions are created, and each new stream ends
    /// after its snapshot. Inputs are still accepted.
    public func drain() {
        loop.assertCurrent()
        isDraining = true
        for session in sessions.values {
            for stream in session.streams { stream.end(.draining) }
        }
        endDormantStreams(.draining)
        for stream in combined.streams.values { stream.end(.draining) }
    }

    /// The number of seconds since the shard was created.
    var tick: Tick { clock.tick }
}

/// A timer's reference to its shard, which is valid as long as the shard exists. Confined to the shard's loop.
final class BackReference {
    // Not a weak reference to the shard: the first one moves an object's reference counts to a side table, which makes
    // each retain and release of the shard several times as expensive, and every request performs about a dozen of
    // each. The shard clears this reference in its `deinit`.
    unowned(unsafe) var shard: SessionShard?
}
