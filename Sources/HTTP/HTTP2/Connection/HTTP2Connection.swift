public import HTTPModel

/// The server's side of an HTTP/2 connection (RFC 9113) without I/O: bytes from the client become events with requests,
/// and responses become bytes. Confined to one thread.
///
/// The owner passes received bytes (``receive(_:now:)``), handles all events (``nextEvent()``), responds to them
/// (``respond(to:with:date:)``) and sends the output of ``write(into:limit:)`` while the socket accepts it. Content is
/// read only when the windows of its stream and of the connection are open and the owner requests output.
///
/// Floods, resets and stalls count against ``HTTP2Limits``. When a limit is exceeded, ``ending`` states which one, the
/// rest of the client's bytes is ignored, and the last output is a `GOAWAY` frame.
public final class HTTP2Connection: HTTP2Endpoint {
    /// The peer, which all requests name.
    public let peer: HTTPPeer
    /// Data frames with fewer bytes do not count as work.
    private static let smallestWork = 32

    let scheme: String
    // Exclusivity checks are off, as in the superclass.
    @exclusivity(unchecked) var streams: [Int32: HTTP2Stream] = [:]
    /// The stream that was looked up last, which is usually the next one as well.
    @exclusivity(unchecked) private var recent: HTTP2Stream?
    @exclusivity(unchecked) var lifetime: Lifetime
    @exclusivity(unchecked) var resets: Allowance
    @exclusivity(unchecked) private var history = StreamHistory()
    /// The number of bytes of incomplete requests.
    @exclusivity(unchecked) var unfinishedBytes = 0

    @exclusivity(unchecked) var events: [HTTP2Event] = []
    @exclusivity(unchecked) var eventsTaken = 0
    @exclusivity(unchecked) var nextSweep: MonotonicTime?
    /// A lower bound of the deadlines of all bodies.
    @exclusivity(unchecked) var nextBodyDeadline: MonotonicTime?
    /// Whether the client has closed its side.
    @exclusivity(unchecked) private(set) var hasClientFinished = false
    /// Whether memory has been released since the connection was last in use.
    @exclusivity(unchecked) var isAtRest = false
    @exclusivity(unchecked) var windowStall: MonotonicTime?

    /// Creates a connection that has received nothing yet.
    ///
    /// - Parameters:
    ///   - scheme: The scheme of the requests, `http` or `https`.
    ///   - jitter: A random number between 0 and 1 that shortens the maximum age.
    public convenience init(
        limits: HTTP2Limits, scheme: String, peer: HTTPPeer, now: MonotonicTime, jitter: Double = 0
    ) {
        self.init(sharing: HTTP2SharedLimits(limits), scheme: scheme, peer: peer, now: now, jitter: jitter)
    }

    /// Creates a connection with limits that are shared by many connections.
    public init(
        sharing shared: HTTP2SharedLimits, scheme: String, peer: HTTPPeer, now: MonotonicTime, jitter: Double = 0
    ) {
        self.scheme = scheme
        self.peer = peer
        lifetime = Lifetime(limits: shared.limits, now: now, jitter: jitter)
        resets = Allowance(capacity: shared.limits.resets, perSecond: shared.limits.resetsPerSecond, now: now)
        super.init(.server, sharing: shared, now: now)
    }

    /// The number of open streams.
    public var streamCount: Int { streams.count }

    /// Whether there may be events that ``nextEvent()`` has not returned.
    public var hasEvents: Bool { eventsTaken < events.count }

    /// Returns the next event, in order. Requests that were reset in the meantime are omitted.
    public func nextEvent() -> HTTP2Event? {
        while eventsTaken < events.count {
            // Moved out: a copy would retain each part of the request.
            var event = HTTP2Event.goAway(.noError)
            swap(&event, &events[eventsTaken])
            eventsTaken += 1
            if eventsTaken == events.count {
                events = []
                eventsTaken = 0
            }
            if isCurrent(event) { return event }
        }
        return nil
    }

    private func isCurrent(_ event: HTTP2Event) -> Bool {
        switch event {
        case .request(let id, _), .refusal(let id, _, _):
            guard ending == nil, let stream = find(id.rawValue), case .requested = stream.stage else { return false }
            stream.wasDelivered = true
            return true
        case .malformed, .reset, .goAway: return true
        }
    }

    @inline(__always)
    func find(_ id: Int32) -> HTTP2Stream? {
        if let recent, recent.id == id { return recent }
        recent = streams[id]
        return recent
    }

    func openStream(_ stream: HTTP2Stream) {
        streams[stream.id] = stream
        recent = stream
    }

    func removeStream(_ id: Int32) -> HTTP2Stream? {
        if recent?.id == id { recent = nil }
        return streams.removeValue(forKey: id)
    }

    /// Records that the client has closed its side, though it may still read. Responses continue as far as their
    /// windows are open. Incomplete requests and event streams are reset: the former cannot be completed, and the
    /// latter no longer have a reader.
    public func clientFinished() {
        hasClientFinished = true
        for stream in streams.values {
            switch stream.stage {
            case .receiving: break
            case .responding: if !stream.sendsEvents { continue }
            case .requested, .dropped: continue
            }
            abandon(stream)
            session.reset(stream.id, .cancel)
        }
        stopAbandoned()
    }

    /// Returns whether a stream is open and its request has no response yet.
    public func awaitsResponse(_ id: HTTP2StreamID) -> Bool {
        if case .requested = find(id.rawValue)?.stage { true } else { false }
    }

    /// Whether there are streams, and all of them wait for more content of their response bodies.
    public var awaitsContent: Bool {
        !streams.isEmpty && streams.values.allSatisfy { $0.isDeferred && $0.body != nil }
    }

    /// Stops all bodies and removes all streams, because the socket is closed. Call it once, at the end.
    public func close() {
        for stream in streams.values { abandon(stream) }
        streams = [:]
        recent = nil
        ready = []
        events = []
        eventsTaken = 0
        stopAbandoned()
    }

    /// Removes the content of a stream; its body is stopped later.
    func abandon(_ stream: HTTP2Stream) {
        if let incoming = stream.incoming { unfinishedBytes -= incoming.countedBytes }
        stream.stage = .dropped
        if let body = stream.takeBody() { abandoned.append(body) }
    }

    override func receivingBegins() {
        isAtRest = false
        resets.refill(now: time)
    }

    override func contentBegins(on id: Int32) -> HTTP2ErrorCode? {
        // The library silently drops content on closed streams and refills the window for it, so such content has to be
        // detected here.
        history.contentBegins(on: id, isOpen: find(id) != nil)
    }

    override func settle() { streamsChanged() }

    override func abandonStreams() {
        for stream in streams.values { abandon(stream) }
    }

    override func outgoing(_ id: Int32) -> OutgoingStream? { find(id) }

    override func frameBegins(_ kind: BegunFrame, on id: Int32) {
        guard ending == nil else { return }
        switch kind {
        case .head:
            if let code = history.headBegins(on: id, isOpen: find(id) != nil) { end(.protocolViolation(code)) }
        case .settings: settingsBegin()
        case .pushPromise, .other: break
        }
    }

    override func fieldsBegin(on id: Int32, isRequest: Bool) {
        guard ending == nil else { return }
        if isRequest {
            history.streamOpened()
            openStream(HTTP2Stream(id: id, connection: self, incoming: IncomingRequest()))
        } else {
            find(id)?.incoming?.head.beginTrailers()
        }
    }

    override func fieldReceived(on id: Int32, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard ending == nil, let incoming = find(id)?.incoming else { return }
        if let flood = incoming.head.take(name, value, limits: limits) { end(flood) }
    }

    override func contentReceived(on id: Int32, _ bytes: UnsafeRawBufferPointer) {
        guard ending == nil, let stream = find(id), let incoming = stream.incoming else {
            // Unwanted content: only the window of the connection is opened again, not the window of the stream.
            return session.consume(bytes.count)
        }
        if bytes.count >= HTTP2Connection.smallestWork { meter.credit(1) }
        session.consume(bytes.count, of: id)
        let count = incoming.body.count + bytes.count
        if let length = incoming.head.contentLength, count > length { return reject(stream, .bodyLength) }
        if count > limits.bodyBytes { return refuse(stream, .bodyTooLarge) }
        if takeRoom(bytes.count, for: incoming) {
            incoming.body.append(contentsOf: bytes)
        } else {
            reset(stream, .refusedStream)
        }
    }

    override func frameReceived(_ frame: ReceivedFrame) {
        guard ending == nil else { return }
        switch frame {
        case .fields(let id, let isRequest, let endsStream):
            if let stream = find(id) { fieldsEnded(on: stream, isRequest: isRequest, endsStream: endsStream) }
        case .content(let id, let endsStream):
            guard endsStream, let stream = find(id) else { return }
            stream.hasEnded = true
            complete(stream)
        case .reset(let id):
            // A client that cancels a response in progress has made proper use of the stream. A client that resets it
            // before the response has caused useless work (CVE-2023-44487).
            guard let stream = find(id) else { return }
            stream.hasEnded = true
            if !stream.hasBegun, !resets.take() { end(.resets) }
        case .settings:
            lifetime.settingsReceived(now: time)
            settingsWereApplied()
        case .pingAcknowledged: if lifetime.noticeWasAcknowledged(now: time) { session.submitLastStream() }
        case .goAway(let code): events.append(.goAway(code))
        case .other: break
        }
    }

    override func streamClosed(_ id: Int32, _ code: HTTP2ErrorCode) {
        guard let stream = removeStream(id) else { return }
        if !stream.hasEnded { history.excuse(id) }
        let isUnanswered: Bool
        switch stream.stage {
        case .requested: isUnanswered = stream.wasDelivered
        case .responding: isUnanswered = stream.body != nil || stream.offset < stream.bytes.count
        case .receiving, .dropped: isUnanswered = false
        }
        abandon(stream)
        if isUnanswered { events.append(.reset(HTTP2StreamID(rawValue: id), code)) }
    }

    override func frameWasSent(_ frame: SentFrame) {
        switch frame {
        case .fields(let id, let endsStream):
            guard let stream = find(id) else { return }
            stream.hasBegun = stream.isResponding
            if endsStream { responseEnded(on: stream) }
        case .content(let id, let endsStream):
            creditContent()
            windowStall = nil
            if endsStream, let stream = find(id) { responseEnded(on: stream) }
        case .reset(let id):
            // The server's own resets are counted where the server decides on them.
            if let stream = find(id), case .dropped = stream.stage { return }
            if !resets.take() { end(.resets) }
        case .goAway(let code): goAwayWasSent(code)
        case .other: break
        }
    }
}
