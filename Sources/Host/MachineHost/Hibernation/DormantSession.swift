import HTTPModel

/// The part of a sleeping session that stays in memory while streams of it are open. Confined to its loop.
///
/// The streams have sent everything. A new one loads what it needs from the journal. A session without streams leaves
/// nothing: the journal finds it by its id and its times.
final class DormantSession {
    // Unchecked exclusivity: see `Session`.
    /// The id that clients hold.
    let id: SessionID
    /// The summary of the session in the journal.
    let summary: SessionSummary
    /// The streams that are being read, in no particular order.
    @exclusivity(unchecked) private(set) var streams: [SessionStream] = []
    /// The number of streams that are open or about to be read.
    @exclusivity(unchecked) private(set) var streamCount = 0
    /// The time of the last request.
    @exclusivity(unchecked) var lastActivity: Tick
    /// The time at which the shard checks the deadlines.
    @exclusivity(unchecked) var nextCheck: Tick = 0
    /// The session since it was woken, for streams that were about to be read then.
    @exclusivity(unchecked) private(set) var successor: Session?
    private let host: SessionHost
    private let reference: BackReference

    init(_ id: SessionID, _ summary: SessionSummary, in shard: SessionShard) {
        self.id = id
        self.summary = summary
        host = shard.host
        reference = shard.backReference
        lastActivity = shard.tick
    }

    /// The shard; nil if it no longer exists, so that the streams end without further events.
    var shard: SessionShard? { reference.shard }

    @inline(__always)
    private func assertOnLoop(_ function: StaticString = #function) {
        assert(shard?.loop.isCurrent ?? true, "expected \(function) to be called on the loop of the session")
    }

    /// Counts a stream that is about to be read.
    func count() {
        assertOnLoop()
        streamCount += 1
    }

    /// Takes the streams of a session that goes to sleep.
    func take(_ streams: [SessionStream]) {
        assertOnLoop()
        assert(streamCount == 0, "expected a slot without streams, got \(streamCount)")
        for stream in streams { stream.sleep(in: self) }
        self.streams = streams
        streamCount = streams.count
    }

    /// Gives the streams to the session that was woken.
    func give(to session: Session) {
        assertOnLoop()
        assert(session.streamCount == 0, "expected a session without streams, got \(session.streamCount)")
        let given = streams
        streams = []
        session.streamCount = streamCount
        session.streams = given
        if streamCount > given.count { successor = session }
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
        guard let place = streams.firstIndex(where: { $0 === stream }) else { return }
        streams.swapAt(place, streams.count - 1)
        streams.removeLast()
        if let shard { lastActivity = shard.tick }
    }

    /// Releases the reservation of a stream. Without streams, the slot is no longer needed.
    func releaseStream(isMember: Bool) {
        if let successor { return successor.releaseStream(isMember: isMember) }
        streamCount -= 1
        assert(
            streamCount >= streams.count,
            "expected to release each stream once, got \(streamCount) left for \(streams.count)")
        if !isMember { host.releaseStream() }
        if streamCount == 0 { shard?.release(self) }
    }

    /// Returns the time of the next action that is due.
    func nextDeadline(_ times: DeadlineTimes) -> Tick {
        streams.reduce(Tick.max) { min($0, $1.nextDeadline(times)) }
    }

    /// Sends comments on silent streams and ends old ones.
    func performDue(now: Tick, _ times: DeadlineTimes) {
        assertOnLoop()
        for stream in streams { stream.performDue(now: now, times) }
    }
}
