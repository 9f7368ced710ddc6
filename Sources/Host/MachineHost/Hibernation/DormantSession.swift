import HTTPModel

/// The part of a sleeping session that stays in memory while streams of it are open. Confined to its loop.
///
/// The streams have sent everything. A new one loads what it needs from the journal. A session without streams leaves
/// nothing: the journal finds it by its id and its times.
final class DormantSession {
    // Unchecked exclusivity: see `Session`.
    /// The id that clients hold.
    let id: SessionID
    /// The id in the journal.
    let storedID: StoredSessionID
    // Not the summary, which has more than the journal needs for an update. There may be many sessions that sleep with a stream.
    private let machine: RegisteredMachine
    private let version: UInt64
    private let createdAt: Int64
    /// The stored time at which the session must be woken; `Int64.max` if it need not be woken.
    private let wakesAt: Int64
    /// The streams that are being read.
    @exclusivity(unchecked) private(set) var streams = DormantStreams.none
    /// The time of the last request.
    @exclusivity(unchecked) var lastActivity: Tick
    /// The time at which the shard checks the deadlines.
    @exclusivity(unchecked) var nextCheck: Tick = 0
    @exclusivity(unchecked) private var openCount: Int32 = 0
    private let host: SessionHost
    private let reference: BackReference

    init(of session: Session, _ summary: SessionSummary, in shard: SessionShard) {
        id = session.id
        storedID = summary.id
        machine = session.machineKind
        (version, createdAt, wakesAt) = (summary.version, summary.createdAt, summary.wakesAt ?? .max)
        host = shard.host
        reference = shard.backReference
        lastActivity = shard.tick
    }

    /// Returns the summary that updates the stored one, which keeps the owner and the name.
    func summary(usedAt: Int64, expiresAt: Int64) -> SessionSummary {
        SessionSummary(
            id: storedID, machine: machine.definition.name, version: version, createdAt: createdAt, usedAt: usedAt,
            expiresAt: expiresAt, wakesAt: wakesAt == .max ? nil : wakesAt, hasEnded: false)
    }

    /// The number of streams that are open or about to be read.
    var streamCount: Int { Int(openCount) }

    /// The session since it was woken, for streams that were about to be read then.
    var successor: Session? { if case .given(let session) = streams { session } else { nil } }

    /// The shard; nil if it no longer exists, so that the streams end without further events.
    var shard: SessionShard? { reference.shard }

    @inline(__always)
    private func assertOnLoop(_ function: StaticString = #function) {
        assert(shard?.loop.isCurrent ?? true, "expected \(function) to be called on the loop of the session")
    }

    /// Counts a stream that is about to be read.
    func count() {
        assertOnLoop()
        openCount += 1
    }

    /// Takes the streams of a session that goes to sleep.
    func take(_ streams: [SessionStream]) {
        assertOnLoop()
        assert(streamCount == 0, "expected a slot without streams, got \(streamCount)")
        for stream in streams { stream.sleep(in: self) }
        self.streams = DormantStreams(streams)
        openCount = Int32(streams.count)
    }

    /// Gives the streams to the session that was woken.
    func give(to session: Session) {
        assertOnLoop()
        assert(session.streamCount == 0, "expected a session without streams, got \(session.streamCount)")
        let given = streams.all
        streams = streamCount > given.count ? .given(to: session) : .none
        session.streamCount = streamCount
        session.streams = given
        for stream in given { stream.wake(in: session) }
    }

    /// Adds a stream that starts to be read.
    func attach(_ stream: SessionStream) {
        assertOnLoop()
        streams.append(stream)
        assert(streams.count <= streamCount, "expected at most \(streamCount) streams to be read, got \(streams.count)")
        guard let shard else { return }
        if shard.isDraining { stream.end(.draining) }
        lastActivity = shard.tick
        shard.scheduleCheck(of: self)
    }

    /// Removes a stream that is no longer read.
    func detach(_ stream: SessionStream) {
        if streams.remove(stream), let shard { lastActivity = shard.tick }
    }

    /// Releases the reservation of a stream. Without streams, the slot is no longer needed.
    func releaseStream(isMember: Bool) {
        if let successor { return successor.releaseStream(isMember: isMember) }
        openCount -= 1
        assert(
            streamCount >= streams.count,
            "expected to release each stream once, got \(streamCount) left for \(streams.count)")
        if !isMember { host.releaseStream() }
        if streamCount == 0 { shard?.release(self) }
    }

    /// Returns the time of the next action that is due.
    func nextDeadline(_ times: DeadlineTimes) -> Tick {
        var first = Tick.max
        streams.forEach { first = min(first, $0.nextDeadline(times)) }
        return first
    }

    /// Sends comments on silent streams and ends old ones.
    func performDue(now: Tick, _ times: DeadlineTimes) {
        assertOnLoop()
        streams.forEach { $0.performDue(now: now, times) }
    }
}

/// The streams of a session that sleeps, in no particular order. There is usually one, which needs no array.
enum DormantStreams {
    case none
    case one(SessionStream)
    case several([SessionStream])
    /// None any more: the session was woken.
    case given(to: Session)

    init(_ streams: [SessionStream]) {
        switch streams.count {
        case 0: self = .none
        case 1: self = .one(streams[0])
        default: self = .several(streams)
        }
    }

    var all: [SessionStream] {
        switch self {
        case .none, .given: []
        case .one(let stream): [stream]
        case .several(let streams): streams
        }
    }

    var count: Int {
        switch self {
        case .none, .given: 0
        case .one: 1
        case .several(let streams): streams.count
        }
    }

    func forEach(_ body: (SessionStream) -> Void) {
        switch self {
        case .none, .given: break
        case .one(let stream): body(stream)
        case .several(let streams): streams.forEach(body)
        }
    }

    mutating func append(_ stream: SessionStream) {
        if case .given = self { assertionFailure("expected no stream of a session that was woken") }
        guard case .several(var streams) = self else {
            self = DormantStreams(all + [stream])
            return
        }
        // The array is not copied if it is in one place only.
        self = .none
        streams.append(stream)
        self = .several(streams)
    }

    /// Removes a stream. Returns whether it was there.
    mutating func remove(_ stream: SessionStream) -> Bool {
        guard case .several(var streams) = self else {
            guard case .one(let only) = self, only === stream else { return false }
            self = .none
            return true
        }
        guard let place = streams.firstIndex(where: { $0 === stream }) else { return false }
        self = .none
        streams.swapAt(place, streams.count - 1)
        streams.removeLast()
        self = streams.count > 1 ? .several(streams) : DormantStreams(streams)
        return true
    }
}
