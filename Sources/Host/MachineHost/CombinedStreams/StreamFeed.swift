import HTTPModel
import Locking

/// The part of a combined stream on the loop of some of its sessions: their single streams, read together. Confined to that loop.
///
/// If another loop sends the combined stream, it requests each batch of events, and gets the next one as soon as there is something
/// to read. So a slow client costs one batch per loop, and sessions do nothing for it.
final class StreamFeed {
    /// The size of a batch, in bytes. A single larger event may exceed it.
    static let batchSize = 16 << 10

    private let places: [UInt8]
    /// The streams, in the order of their places; nil before they are opened and after their ends.
    private var streams: [SessionStream?]
    /// The ends of streams that could not be opened.
    private var refusals: [(slot: Int, event: [UInt8])] = []
    /// The streams that may have something to read, as a bit each.
    private var ready: UInt64 = 0
    /// The stream that was read last.
    private var last = -1
    /// Whether that stream must be read next, because its last event is incomplete.
    private var isInsideEvent = false
    private var endReason: EndReason?
    /// The combined stream; nil when it no longer reads.
    private var outlet: CombinedStream?
    private let loop: any EventLoop
    private let home: any EventLoop
    /// Whether another loop has requested a batch.
    private var isRequested = true
    private var isScheduled = false

    /// - Parameters:
    ///   - members: The sessions on this loop.
    ///   - loop: The loop of the sessions.
    ///   - home: The loop of the combined stream.
    init(_ members: [CombinedRequest.Member], on loop: any EventLoop, to outlet: CombinedStream, on home: any EventLoop)
    {
        assert(
            members.count <= CombinedPosition.maxEntries,
            "expected at most \(CombinedPosition.maxEntries) sessions, got \(members.count)")
        places = members.map(\.place)
        streams = Array(repeating: nil, count: members.count)
        self.loop = loop
        self.home = home
        self.outlet = outlet
    }

    /// Whether the combined stream still reads.
    var isAwaited: Bool { outlet != nil }

    /// Whether there may be something to read.
    var isReady: Bool { ready != 0 }

    /// Notes that a stream has something to read.
    func streamIsReady(_ slot: Int) {
        assert(places.indices.contains(slot), "expected one of \(places.count) streams, got \(slot)")
        ready |= 1 << UInt64(slot)
        guard loop === home else { return scheduleFlush() }
        outlet?.wake()
    }

    /// Adds the stream of a session, or the event that takes its place.
    func add(_ stream: SessionStream?, orEnd event: [UInt8], at slot: Int) {
        loop.assertCurrent()
        if let stream {
            assert(streams[slot] == nil, "expected one stream of each session")
            streams[slot] = stream
            stream.start(.feed(self, slot: UInt8(slot)))
            if let endReason { stream.end(endReason) }
        } else {
            refusals.append((slot, event))
        }
        streamIsReady(slot)
    }

    /// Appends the bytes that the next stream in turn has to send. Returns nil if no stream is ready.
    func readNext(into bytes: inout [UInt8], limit: Int) -> FeedBatch.Part? {
        loop.assertCurrent()
        guard ready != 0 else { return nil }
        assert(!isInsideEvent || ready & 1 << UInt64(last) != 0, "expected the rest of an event of stream \(last)")
        let slot = isInsideEvent ? last : nextReady
        last = slot
        isInsideEvent = false
        guard let stream = streams[slot] else { return readRefusal(slot, into: &bytes) }
        switch stream.read(into: &bytes, limit: limit) {
        case .more: isInsideEvent = stream.isInsideEvent
        case .waiting: ready &= ~(1 << UInt64(slot))
        case .finished:
            ready &= ~(1 << UInt64(slot))
            streams[slot] = nil
            return FeedBatch.Part(place: places[slot], isLast: true, end: bytes.count)
        }
        return FeedBatch.Part(place: places[slot], isLast: false, end: bytes.count)
    }

    private func readRefusal(_ slot: Int, into bytes: inout [UInt8]) -> FeedBatch.Part {
        ready &= ~(1 << UInt64(slot))
        guard let index = refusals.firstIndex(where: { $0.slot == slot }) else {
            return FeedBatch.Part(place: places[slot], isLast: false, end: bytes.count)
        }
        bytes.append(contentsOf: refusals.remove(at: index).event)
        return FeedBatch.Part(place: places[slot], isLast: true, end: bytes.count)
    }

    /// The first ready stream after the one that was read last, so that a busy session does not delay the others.
    private var nextReady: Int {
        let later = ready & ~((1 << UInt64(last + 1)) &- 1)
        return (later == 0 ? ready : later).trailingZeroBitCount
    }

    // For another loop

    /// Sends the next batch, now or when there is something to read.
    func pull() {
        loop.assertCurrent()
        isRequested = true
        scheduleFlush()
    }

    private func scheduleFlush() {
        guard isRequested, !isScheduled, ready != 0, outlet != nil else { return }
        isScheduled = true
        // Later, because a session notifies its streams inside a turn, and so that one batch contains everything of this round.
        loop.execute { [feed = UnsafeTransfer(self)] in feed.value.flush() }
    }

    private func flush() {
        loop.assertCurrent()
        isScheduled = false
        guard isRequested, let outlet else { return }
        var batch = FeedBatch()
        while batch.bytes.count < StreamFeed.batchSize,
            let part = readNext(into: &batch.bytes, limit: StreamFeed.batchSize - batch.bytes.count)
        {
            if part.isLast || part.end > batch.parts.last?.end ?? 0 { batch.parts.append(part) }
        }
        assert(
            batch.parts.last?.end ?? 0 == batch.bytes.count, "expected parts for all of \(batch.bytes.count) bytes")
        guard !batch.parts.isEmpty else { return }
        isRequested = false
        let message = UnsafeTransfer((outlet: outlet, feed: self, batch: batch))
        home.execute { message.value.outlet.receive(message.value.batch, from: message.value.feed) }
    }

    // Ends

    /// Ends the streams after the events that are available.
    func end(_ reason: EndReason) {
        loop.assertCurrent()
        endReason = reason
        for stream in streams { stream?.end(reason) }
    }

    /// Closes the streams, because the combined stream was closed.
    func stop() {
        outlet = nil
        for stream in streams { stream?.stop() }
        streams = streams.map { _ in nil }
        refusals = []
        ready = 0
    }
}
