import HTTPModel

/// A client's stream: a position in the history of its session. Unread changes are stored once, by the session, so a
/// slow client costs nothing. A client that falls behind the history continues with a snapshot. Confined to the loop.
final class SessionStream: HTTPBodyStream {
    // Unchecked exclusivity: the stream is confined to its loop, and no access lasts across a call to the machine. The runtime's
    // checks of these properties were 3 % of the instructions of an input.
    @exclusivity(unchecked) private var source: Source
    let filter: OutputFilter?
    /// The version that the client has received, or from which it wants to resume.
    @exclusivity(unchecked) var cursor: UInt64 = 0
    /// The reader of a shared text that is being sent in pieces.
    @exclusivity(unchecked) private var unread: SharedTextReader?
    // There is a stream for each session of each client: the small properties fill the gaps behind the large ones.
    /// A snapshot of a version that is not released yet.
    @exclusivity(unchecked) var held: HeldSnapshot?
    @exclusivity(unchecked) private var receiver = StreamReceiver.none
    /// Whether the stream is a part of a combined stream, which counts for the server's limit and sends the comments.
    let isMember: Bool
    /// Whether the client wants to resume.
    private let resumes: Bool
    @exclusivity(unchecked) private var isWaiting = false
    @exclusivity(unchecked) private var owesComment = false
    /// Whether the stream still holds its reservation.
    @exclusivity(unchecked) private var isCounted = true
    /// The time at which bytes were last sent, or a comment became due; a member sends none.
    @exclusivity(unchecked) private(set) var lastSent: Tick
    /// The time at which the stream ends so that the client reconnects.
    @exclusivity(unchecked) private(set) var endsAt: Tick
    @exclusivity(unchecked) private var phase = Phase.opening
    /// The credential on which the stream depends, and the client for which it counts; nil if it depends on neither.
    let lease: StreamLease?

    private enum Source {
        case session(Session)
        /// The slot of a session that sleeps.
        case slot(DormantSession)
        /// The stream has ended.
        case none
    }

    private enum Phase {
        /// Nothing has been sent.
        case opening
        /// The client is following changes.
        case following
        /// The stream sends the remaining events, then the reason, and ends.
        // Indirect, because a stream needs the room for the reason only once.
        indirect case ending(EndReason, hasOpened: Bool)
        /// The stream has ended, or is no longer read.
        case over
    }

    /// Creates a stream for which a reservation was made. The stream releases it.
    init(
        session: Session, wanted: StreamPosition?, filter: OutputFilter?, endsAt: Tick, lease: StreamLease? = nil,
        isMember: Bool = false
    ) {
        source = .session(session)
        // Versions are comparable only within an epoch. After a restart, the same version number may mean other outputs.
        resumes = wanted?.epoch == session.epoch(for: filter)
        if resumes { cursor = wanted?.version ?? 0 }
        self.filter = filter
        self.endsAt = endsAt
        self.isMember = isMember
        self.lease = lease
        if let lease { lease.tick = session.shard.leaseTick(of: lease.end) }
        lastSent = session.shard.tick
    }

    deinit {
        // A response that is never read, because its connection failed, is neither started nor stopped. Its reservation
        // must not leak.
        if isCounted { releaseReservation() }
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        start(.connection(consumer))
    }

    func start(_ receiver: StreamReceiver) {
        assertOnLoop()
        self.receiver = receiver
        if lease != nil { shard?.openingStreams.remove(self) }
        guard let slot else { return session?.attach(self) ?? () }
        guard let successor = slot.successor else { return slot.attach(self) }
        wake(in: successor)
        successor.attach(self)
    }

    /// The session; nil while it sleeps.
    private var session: Session? { if case .session(let session) = source { session } else { nil } }

    /// The slot of a session that sleeps.
    private var slot: DormantSession? { if case .slot(let slot) = source { slot } else { nil } }

    private var shard: SessionShard? {
        switch source {
        case .session(let session): session.shard
        case .slot(let slot): slot.shard
        case .none: nil
        }
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        assertOnLoop()
        isWaiting = false
        let start = buffer.count
        guard let session else { return readDormant(into: &buffer) }
        guard !session.isAbandoned else {
            close()
            return .finished
        }
        switch phase {
        case .following, .ending(_, hasOpened: true): break
        case .over: return .finished
        case .opening, .ending: open(session, into: &buffer)
        }
        if held != nil { appendHeldSnapshot(of: session, to: &buffer) }
        // One call fills the connection's buffer: shared text and events alternate until the limit is reached.
        while unread == nil || readShared(into: &buffer, limit: limit - (buffer.count - start)),
            hasMoreChanges(session), buffer.count - start < limit
        {
            advance(session, limit: limit - (buffer.count - start), into: &buffer)
        }
        let shard = session.shard
        // Any event keeps the connection alive, so the next comment is due a full interval later.
        if buffer.count > start { lastSent = shard.tick }
        if unread != nil || hasMoreChanges(session) { return .more }
        return finishOrWait(from: start, shard.host, into: &buffer)
    }

    /// Ends the read: appends the last event if the stream ends, or a comment that is due.
    private func finishOrWait(from start: Int, _ host: SessionHost, into buffer: inout [UInt8]) -> HTTPBodyProgress {
        if case .ending(let reason, _) = phase, held == nil {
            if isMember, !reason.permitsReconnection {
                reason.appendMemberEvent(to: &buffer)
            } else {
                reason.appendEvent(host.configuration, to: &buffer)
            }
            close()
            return .finished
        }
        // A comment is needed only if nothing else was sent.
        if owesComment, buffer.count == start { buffer.append(": keep-alive\n\n") }
        owesComment = false
        isWaiting = true
        return .waiting
    }

    func stop() {
        close()
    }

    /// Sends a shared text next, piece by piece.
    func read(_ text: SharedText) {
        unread = SharedTextReader(text)
    }

    /// The reason for which the stream ends after the events that are available; nil if it does not, or has ended.
    var pendingEnd: EndReason? { if case .ending(let reason, _) = phase { reason } else { nil } }

    /// Whether the next read continues an event.
    var isInsideEvent: Bool { unread != nil }

    /// The version up to which changes were passed to the connection; nil before the beginning of the stream, and at its end.
    var sentVersion: UInt64? { if case .following = phase { cursor } else { nil } }

    /// Whether the client is reading an outdated large value.
    var isReadingStaleText: Bool { unread != nil && session.map { cursor < $0.version } ?? false }

    private func hasMoreChanges(_ session: Session) -> Bool { cursor < session.releasedVersion && held == nil }

    /// Ends the stream in the middle of an event.
    func abort() {
        assertOnLoop()
        close()
    }

    /// Appends the rest of the shared text, up to a limit. Returns whether it has been read completely.
    private func readShared(into buffer: inout [UInt8], limit: Int) -> Bool {
        guard let unread else { return true }
        if case .more = unread.read(into: &buffer, limit: limit) { return false }
        self.unread = nil
        return true
    }

    /// Notifies the consumer that bytes are available, if it is waiting.
    func wake() {
        // One notification per wait: further changes are found by the read that follows.
        guard isWaiting else { return }
        isWaiting = false
        switch receiver {
        case .none: break
        case .connection(let consumer): consumer.bodyIsReady()
        case .feed(let feed, let slot): feed.streamIsReady(Int(slot))
        }
    }

    /// The time at which the credential has expired.
    private var leaseEnd: Tick { lease?.tick ?? .max }

    /// Returns the time of the next action that is due.
    func nextDeadline(_ times: DeadlineTimes) -> Tick {
        guard isMember else { return min(lastSent + times.keepAlive, endsAt, leaseEnd) }
        // It sends no comments, but looks at the wall clock as often as other streams.
        return leaseEnd == .max ? .max : min(lastSent + times.keepAlive, leaseEnd)
    }

    /// Performs the due actions: ends a stream that is old or whose credential has expired, and sends a comment on a silent one.
    func performDue(now: Tick, _ times: DeadlineTimes) {
        assertOnLoop()
        // The wall clock, which decides when the credential expires, may have been set.
        if let lease, lease.tick != .max, let shard {
            let tick = shard.leaseTick(of: lease.end)
            // One tick from now if it has expired, however often this is called.
            lease.tick = tick > now + 1 ? tick : min(lease.tick, tick)
        }
        if now >= leaseEnd { end(.unauthorized) }
        if !isMember, now >= endsAt { end(.rotated) }
        guard now >= lastSent + times.keepAlive else { return }
        lastSent = now
        guard !isMember else { return }
        owesComment = true
        wake()
    }

    /// Ends the stream after the client has received the available events.
    func end(_ reason: EndReason) {
        switch phase {
        case .opening: phase = .ending(reason, hasOpened: false)
        case .following: phase = .ending(reason, hasOpened: true)
        // The end of the session overrides a mere end of the stream: the client must not reconnect to a session that no
        // longer exists.
        case .ending(_, let hasOpened) where !reason.isForStreamOnly: phase = .ending(reason, hasOpened: hasOpened)
        case .ending, .over: return
        }
        endsAt = .max
        lease?.tick = .max
        wake()
    }

    /// Ends the stream without the events that the client has not received: it now sees other outputs, or none. If it reconnects, it gets
    /// a snapshot.
    func endImmediately(_ reason: EndReason) {
        assertOnLoop()
        switch phase {
        case .opening: phase = .following
        case .ending(let reason, hasOpened: false): phase = .ending(reason, hasOpened: true)
        case .following, .ending: break
        case .over: return
        }
        // Nothing that the client may no longer see follows, except the rest of an event that is being sent: cut there, it would swallow the last event.
        held = nil
        cursor = .max
        end(reason)
    }

    /// Appends the beginning of the stream.
    private func open(_ session: Session, into buffer: inout [UInt8]) {
        if case .ending(let reason, _) = phase {
            phase = .ending(reason, hasOpened: true)
        } else {
            phase = .following
        }
        EventStreamEncoder.encode(retry: session.shard.host.configuration.retry, into: &buffer)
        if resumes, cursor <= session.releasedVersion, session.history.reaches(backTo: cursor) {
            appendResume(session, to: &buffer)
        } else {
            appendSnapshot(session, to: &buffer)
        }
    }

    private func close() {
        // `stop()` may follow a finished read: release the reservation once.
        guard isCounted else { return }
        phase = .over
        unread = nil
        held = nil
        receiver = .none
        isCounted = false
        lease?.share = nil
        switch source {
        case .session(let session): session.detach(self)
        case .slot(let slot): slot.detach(self)
        case .none: break
        }
        releaseReservation()
        // A connection may keep the stream, which must not keep the state of a session that sleeps.
        source = .none
    }

    /// Whether the caller is on the loop, as far as the stream still knows it.
    private var isOnLoop: Bool {
        guard let session else { return shard?.loop.isCurrent ?? true }
        return session.isAbandoned || session.context.loop.isCurrent
    }

    @inline(__always)
    private func assertOnLoop(_ function: StaticString = #function) {
        assert(isOnLoop, "expected \(function) to be called on the loop of the session")
    }

    private func releaseReservation() {
        switch source {
        case .session(let session): session.releaseStream(isMember: isMember)
        case .slot(let slot): slot.releaseStream(isMember: isMember)
        case .none: break
        }
    }
}

// Streams of sessions that sleep.
extension SessionStream {
    /// Whether the client has received everything, so that the stream needs neither the machine nor the history.
    var isUpToDate: Bool {
        guard case .following = phase, held == nil, unread == nil else { return false }
        return cursor == session?.version
    }

    /// Leaves a session that goes to sleep.
    func sleep(in slot: DormantSession) {
        assertOnLoop()
        assert(session != nil, "expected a stream of a session in memory")
        source = .slot(slot)
    }

    /// Joins a session that was woken. It is at the version that the client has received, or a later one.
    func wake(in session: Session) {
        assertOnLoop()
        assert(slot != nil, "expected a stream of a session that sleeps")
        source = .session(session)
    }

    /// Renders all that a new stream sends first, and leaves the session, which was loaded for this only.
    func settle(in slot: DormantSession) {
        assertOnLoop()
        assert(session?.isAsleep ?? false, "expected a session that was loaded without its machine")
        var beginning: [UInt8] = []
        _ = read(into: &beginning, limit: .max)
        isWaiting = false
        assert(held == nil && unread == nil, "expected all that the stream sends first")
        held = HeldSnapshot(version: cursor, content: .bytes(beginning))
        sleep(in: slot)
    }

    private func readDormant(into buffer: inout [UInt8]) -> HTTPBodyProgress {
        guard isCounted, let slot, let shard = slot.shard else {
            close()
            return .finished
        }
        assert(unread == nil, "expected no shared text of a session that sleeps")
        let start = buffer.count
        if case .bytes(let bytes) = held?.content { buffer.append(contentsOf: bytes) }
        held = nil
        if buffer.count > start { lastSent = shard.tick }
        return finishOrWait(from: start, shard.host, into: &buffer)
    }
}

/// The receiver of a stream's notifications that there is something to read.
enum StreamReceiver {
    case none
    /// The connection that sends the stream.
    case connection(any HTTPBodyConsumer)
    /// The combined stream that the stream is a part of, and its number there.
    case feed(StreamFeed, slot: UInt8)
}
