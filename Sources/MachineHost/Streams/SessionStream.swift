import HTTPModel

/// One client's stream: a position in its session's history. What it has not read yet is kept once, by the session; so a
/// client that reads slowly costs nothing, and one that reads too slowly goes on from a snapshot. Confined to the loop.
final class SessionStream: HTTPBodyStream {
    let session: Session
    let filter: OutputFilter?
    /// Where the client says it was.
    private let wanted: StreamPosition?
    /// The version that the client has.
    @exclusivity(unchecked) var cursor: UInt64 = 0
    @exclusivity(unchecked) private var phase = Phase.opening
    @exclusivity(unchecked) private var consumer: (any HTTPBodyConsumer)?
    @exclusivity(unchecked) private var isWaiting = false
    @exclusivity(unchecked) private var owesComment = false
    /// What is left of a text that is shared and read piece by piece.
    @exclusivity(unchecked) private var unread: SharedTextReader?
    /// Whether the stream is counted.
    @exclusivity(unchecked) private var isCounted = true
    /// When something was sent, or a comment was due.
    @exclusivity(unchecked) private(set) var lastSent: Tick
    /// When it is to come back anew.
    @exclusivity(unchecked) private(set) var endsAt: Tick

    private enum Phase {
        /// Nothing was sent.
        case opening
        /// The client follows.
        case following
        /// Nothing but what is already there, and then why it ends.
        case ending(EndReason, hasOpened: Bool)
        /// Nothing more is to be said, or nobody is there.
        case over
    }

    /// A stream that has been counted; it gives that back when it is over.
    init(session: Session, wanted: StreamPosition?, filter: OutputFilter?, endsAt: Tick) {
        self.session = session
        self.wanted = wanted
        self.filter = filter
        self.endsAt = endsAt
        lastSent = session.shard.tick
    }

    deinit {
        if isCounted { session.streamIsOver() }
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        self.consumer = consumer
        session.attach(self)
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        isWaiting = false
        let start = buffer.count
        guard !session.isAbandoned else {
            close()
            return .finished
        }
        guard openIfNeeded(into: &buffer) else { return .finished }
        while readShared(into: &buffer, limit: limit - (buffer.count - start)), cursor < session.version,
            buffer.count - start < limit
        {
            advance(limit: limit - (buffer.count - start), into: &buffer)
        }
        if buffer.count > start { lastSent = session.shard.tick }
        if unread != nil || cursor < session.version { return .more }
        if case .ending(let reason, _) = phase {
            appendEnd(reason, to: &buffer)
            close()
            return .finished
        }
        if owesComment, buffer.count == start { buffer.append(": keep-alive\n\n") }
        owesComment = false
        isWaiting = true
        return .waiting
    }

    func stop() {
        close()
    }

    /// Reads next what others share, piece by piece.
    func read(_ text: SharedText) {
        unread = SharedTextReader(text)
    }

    /// Whether the client is reading what is not shown any more.
    var isReadingStaleText: Bool { unread != nil && cursor < session.version }

    /// Ends the stream in the middle of what the client reads.
    func cutOff() {
        close()
    }

    /// Appends what is left of the shared text, as far as there is room; true if nothing is left.
    private func readShared(into buffer: inout [UInt8], limit: Int) -> Bool {
        guard let unread else { return true }
        if case .more = unread.read(into: &buffer, limit: limit) { return false }
        self.unread = nil
        return true
    }

    /// There is something to read, if the client waits for it.
    func wake() {
        guard isWaiting else { return }
        isWaiting = false
        consumer?.bodyIsReady()
    }

    /// Nothing was sent for a while.
    func sendComment(now: Tick) {
        lastSent = now
        owesComment = true
        wake()
    }

    /// The stream ends once the client has what there is.
    func end(_ reason: EndReason) {
        switch phase {
        case .opening: phase = .ending(reason, hasOpened: false)
        case .following: phase = .ending(reason, hasOpened: true)
        case .ending(_, let hasOpened) where !reason.isForStreamOnly: phase = .ending(reason, hasOpened: hasOpened)
        case .ending, .over: return
        }
        endsAt = .max
        wake()
    }

    /// Says how the stream starts, if that has not been said; false if there is nobody to say it to.
    private func openIfNeeded(into buffer: inout [UInt8]) -> Bool {
        switch phase {
        case .following, .ending(_, hasOpened: true): return true
        case .over: return false
        case .opening: phase = .following
        case .ending(let reason, hasOpened: false): phase = .ending(reason, hasOpened: true)
        }
        EventStreamEncoder.encode(retry: session.shard.host.configuration.retry, into: &buffer)
        if let wanted, wanted.epoch == session.epoch, session.history.reaches(backTo: wanted.version) {
            cursor = wanted.version
            appendResume(to: &buffer)
        } else {
            appendSnapshot(to: &buffer)
        }
        return true
    }

    private func close() {
        guard isCounted else { return }
        phase = .over
        unread = nil
        consumer = nil
        isCounted = false
        session.detach(self)
        session.streamIsOver()
    }
}
