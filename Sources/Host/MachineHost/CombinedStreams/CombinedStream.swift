import HTTPModel
import Locking

/// A client's stream of several sessions. Confined to the loop of its connection.
///
/// The sessions' own streams, which a ``StreamFeed`` on each of their loops reads, decide what the client gets. This stream merges
/// what the feeds deliver, and writes the position in all sessions into each event.
final class CombinedStream: HTTPBodyStream {
    /// The number of seconds for which a stream that ends waits for the last events of its sessions.
    private static let maxEndDelay: Tick = 2

    private let host: SessionHost
    private let reference: BackReference
    /// The client's request; nil after ``start(_:)``.
    private var request: CombinedRequest?
    /// The texts of the sessions' ids, one after another.
    private let ids: [UInt8]
    private var inflows: [Inflow] = []
    /// The feed that is read next.
    private var turn = 0
    private var position: CombinedPosition
    private var rewriter = EventRewriter()
    /// The sessions that have not ended, as a bit each.
    private var live: UInt64
    /// Whether the stream of a session was refused for the time being.
    private var isBusy = false
    private var consumer: (any HTTPBodyConsumer)?
    private var isWaiting = false
    private var hasOpened = false
    private var owesComment = false
    /// Whether the stream still holds its reservation.
    private var isCounted = true
    /// The place of the stream among those of its client; nil if the client is not limited, or the stream was closed.
    private var share: StreamShare?
    private var endReason: EndReason?
    /// Whether the stream ends without waiting for its sessions.
    private var isCutOff = false
    private var lastSent: Tick
    /// The time at which the stream ends, or after which it does not wait for its sessions any longer.
    private var endsAt: Tick
    /// The number in ``CombinedStreams``.
    private(set) var number = 0
    /// The time at which the shard checks the deadlines.
    var nextCheck: Tick = 0

    /// Creates a stream for which a reservation was made. The stream releases it.
    init(_ request: CombinedRequest, in shard: SessionShard, endsAt: Tick, share: StreamShare? = nil) {
        host = shard.host
        reference = shard.backReference
        self.request = request
        self.endsAt = endsAt
        self.share = share
        lastSent = shard.tick
        var ids: [UInt8] = []
        ids.reserveCapacity(request.members.count * SessionID.textCount)
        for member in request.members { member.id.append(to: &ids) }
        self.ids = ids
        live = .max >> UInt64(64 - request.members.count)
        position = CombinedPosition(sessionCount: request.members.count, after: request.lastEventID)
    }

    deinit {
        // A response that is never read, because its connection failed, is neither started nor stopped.
        if isCounted { host.releaseStream() }
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        assertOnLoop()
        self.consumer = consumer
        guard let shard = reference.shard, let request else { return }
        self.request = nil
        number = shard.combined.add(self)
        for index in 0..<shard.loop.count {
            let members = request.members.filter { $0.id.loop(of: shard.loop.count) == index }
            if !members.isEmpty { open(members, of: request, onLoop: index, shard) }
        }
        if shard.isDraining { end(.draining) }
        shard.scheduleCheck(of: self)
    }

    private func open(
        _ members: [CombinedRequest.Member], of request: CombinedRequest, onLoop index: Int, _ shard: SessionShard
    ) {
        let address = index == shard.loop.index ? nil : host.shards[index]
        let feed = StreamFeed(members, on: address?.loop ?? shard.loop, to: self, on: shard.loop)
        inflows.append(Inflow(feed: feed, loop: address?.loop))
        guard let address else {
            // Without its shard, a loop has no sessions.
            return index == shard.loop.index ? feed.open(members, of: request, in: shard) : feed.refuse(members)
        }
        let opening = UnsafeTransfer((feed: feed, members: members, request: request))
        address.execute(for: WorkSource(request.request.peer)) {
            opening.value.feed.open(opening.value.members, of: opening.value.request, in: $0)
        }
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        assertOnLoop()
        isWaiting = false
        guard isCounted, let shard = reference.shard else {
            close()
            return .finished
        }
        let start = buffer.count
        let end = limit > Int.max - start ? Int.max : start + limit
        if !hasOpened {
            hasOpened = true
            EventStreamEncoder.encode(retry: host.configuration.retry, into: &buffer)
        }
        while !isCutOff, buffer.count < end, copyNext(shard, end, into: &buffer) {}
        if buffer.count > start { lastSent = shard.tick }
        if isCutOff || live == 0 {
            appendEnd(to: &buffer)
            close()
            return .finished
        }
        if hasContent { return .more }
        return wait(from: start, into: &buffer)
    }

    func stop() {
        close()
    }

    /// Requests the next batches, and appends a comment that is due.
    private func wait(from start: Int, into buffer: inout [UInt8]) -> HTTPBodyProgress {
        for index in inflows.indices { inflows[index].requestIfEmpty() }
        if owesComment, buffer.count == start { buffer.append(": keep-alive\n\n") }
        owesComment = false
        isWaiting = true
        return .waiting
    }

    /// Appends the last event, unless each session had its own, or the last event is incomplete.
    private func appendEnd(to buffer: inout [UInt8]) {
        guard !rewriter.isInsideData, let reason = endReason ?? (isBusy ? .busy : nil) else { return }
        reason.appendEvent(host.configuration, to: &buffer)
    }

    /// Notifies the consumer that bytes are available, if it is waiting.
    func wake() {
        guard isWaiting else { return }
        isWaiting = false
        consumer?.bodyIsReady()
    }

    /// Takes a batch that a feed of another loop has sent.
    func receive(_ batch: FeedBatch, from feed: StreamFeed) {
        assertOnLoop()
        // The stream may have been closed meanwhile.
        guard let index = inflows.firstIndex(where: { $0.feed === feed }) else { return }
        inflows[index].receive(batch)
        wake()
    }

    @inline(__always)
    private func assertOnLoop(_ function: StaticString = #function) {
        assert(
            reference.shard?.loop.isCurrent ?? true, "expected \(function) to be called on the loop of the connection")
    }

    private func close() {
        guard isCounted else { return }
        isCounted = false
        share = nil
        consumer = nil
        let inflows = inflows
        self.inflows = []
        for inflow in inflows { inflow.execute { $0.stop() } }
        reference.shard?.combined.remove(number)
        host.releaseStream()
    }
}

// What the feeds deliver.
extension CombinedStream {
    /// Appends the next events of the feed whose turn it is. Returns false if none has any, or the rest of an event is missing.
    private func copyNext(_ shard: SessionShard, _ limit: Int, into buffer: inout [UInt8]) -> Bool {
        // An event that has begun is completed first.
        if rewriter.isBetweenEvents {
            let next = inflows.indices.first { inflows[(turn + $0) % inflows.count].hasContent }
            turn = (turn + (next ?? 0)) % inflows.count
        }
        guard inflows[turn].hasContent else { return false }
        if inflows[turn].loop == nil {
            copyLocal(inflows[turn].feed, shard, limit, into: &buffer)
        } else {
            copyReceived(limit, into: &buffer)
        }
        if rewriter.isBetweenEvents { turn = (turn + 1) % inflows.count }
        return true
    }

    /// Whether there may be something to send. Until an event is complete, only its feed counts.
    private var hasContent: Bool {
        rewriter.isBetweenEvents ? inflows.contains(where: \.hasContent) : inflows[turn].hasContent
    }

    private func copyLocal(
        _ feed: StreamFeed, _ shard: SessionShard, _ limit: Int, into buffer: inout [UInt8]
    ) {
        var bytes = shard.combined.events.take()
        defer { shard.combined.events.recycle(&bytes) }
        // All that is read is rewritten, and each event grows by the position.
        let room = max(1, (limit - buffer.count) / (1 + position.text.count / 64))
        guard let part = feed.readNext(into: &bytes, limit: room) else { return }
        var start = 0
        rewrite(bytes, &start, part, .max, into: &buffer)
    }

    private func copyReceived(_ limit: Int, into buffer: inout [UInt8]) {
        var inflow = inflows[turn]
        // Taken out, so that the batch is not copied.
        inflows[turn].batch = FeedBatch()
        let part = inflow.batch.parts[inflow.part]
        rewrite(inflow.batch.bytes, &inflow.start, part, limit, into: &buffer)
        if inflow.start == part.end { inflow.part += 1 }
        if inflow.part == inflow.batch.parts.count { inflow.clear() }
        inflows[turn] = inflow
    }

    private func rewrite(
        _ bytes: [UInt8], _ start: inout Int, _ part: FeedBatch.Part, _ limit: Int, into buffer: inout [UInt8]
    ) {
        let place = Int(part.place)
        let id = ids[(place * SessionID.textCount)..<((place + 1) * SessionID.textCount)]
        let outcome = rewriter.rewrite(
            bytes, from: &start, to: part.end, session: id, place: place, &position, into: &buffer, limit: limit)
        if outcome.contains(.busy) { isBusy = true }
        if !outcome.isDisjoint(with: .ownEnd) { live &= ~(1 << UInt64(place)) }
        guard part.isLast, start == part.end else { return }
        // The session releases a large value that is read too slowly. The client discards the incomplete event and reconnects.
        guard !rewriter.isInsideData else { return isCutOff = true }
        rewriter = EventRewriter()
        guard live & 1 << UInt64(place) != 0 else { return }
        live &= ~(1 << UInt64(place))
        // The session's stream ended and the session did not, for example because the server shuts down.
        end(.draining)
    }
}

// Its end, and what is due.
extension CombinedStream {
    /// Ends the stream after the client has received the available events.
    func end(_ reason: EndReason) {
        assertOnLoop()
        guard endReason == nil, isCounted else { return }
        endReason = reason
        for inflow in inflows { inflow.execute { $0.end(reason) } }
        guard let shard = reference.shard else { return }
        // A loop that stalls must not hold the end back. The client continues from the last event that it has received.
        endsAt = shard.tick + CombinedStream.maxEndDelay
        shard.scheduleCheck(of: self)
    }

    /// Returns the time of the next action that is due.
    func nextDeadline(_ times: DeadlineTimes) -> Tick { min(lastSent + times.keepAlive, endsAt) }

    /// Performs the due actions: ends an old stream, and sends a comment on a silent one.
    func performDue(now: Tick, _ times: DeadlineTimes) {
        assertOnLoop()
        if now >= endsAt {
            if endReason == nil {
                end(.rotated)
            } else {
                isCutOff = true
                endsAt = .max
            }
            wake()
        }
        guard now >= lastSent + times.keepAlive else { return }
        lastSent = now
        owesComment = true
        wake()
    }
}
