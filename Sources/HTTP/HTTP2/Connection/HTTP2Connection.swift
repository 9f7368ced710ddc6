public import HTTPModel

/// The owner of an HTTP/2 connection, which transfers its bytes.
public protocol HTTP2ConnectionOwner: AnyObject {
    /// Called when a stream has content again. Only record the call: ``HTTP2Connection/write(into:limit:)`` must be
    /// called later, not inside this method.
    func connectionHasOutput()
}

/// The server's side of an HTTP/2 connection (RFC 9113) without I/O: bytes from the client become events with requests,
/// and responses become bytes. Confined to one thread.
///
/// The owner passes received bytes (``receive(_:now:)``), handles all events (``nextEvent()``), responds to them
/// (``respond(to:with:date:)``) and sends the output of ``write(into:limit:)`` while the socket accepts it. Content is
/// read only when the windows of its stream and of the connection are open and the owner requests output.
///
/// Floods, resets and stalls count against ``HTTP2Limits``. When a limit is exceeded, ``ending`` states which one, the
/// rest of the client's bytes is ignored, and the last output is a `GOAWAY` frame.
public final class HTTP2Connection {
    /// The limits of the connection.
    public var limits: HTTP2Limits { shared.limits }
    private let shared: HTTP2SharedLimits
    /// The peer, which all requests name.
    public let peer: HTTPPeer
    /// Notified when a stream has content again.
    public weak var owner: (any HTTP2ConnectionOwner)?
    /// The reason why the server ended the connection; `nil` while it is open and after a regular end.
    @exclusivity(unchecked) public internal(set) var ending: HTTP2Ending?

    let scheme: String
    let session: Session
    // Exclusivity checks are off: the connection is confined to one thread, and no inout access lasts during a call to
    // the library, whose callbacks access the same properties.
    @exclusivity(unchecked) var streams: [Int32: HTTP2Stream] = [:]
    /// The stream that was looked up last, which is usually the next one as well.
    @exclusivity(unchecked) private var recent: HTTP2Stream?
    @exclusivity(unchecked) var time: MonotonicTime
    @exclusivity(unchecked) var lifetime: Lifetime
    @exclusivity(unchecked) var meter: FrameMeter
    @exclusivity(unchecked) var resets: Allowance
    @exclusivity(unchecked) var history = StreamHistory()
    /// The number of queued frames when the client's settings arrived.
    @exclusivity(unchecked) var queuedBeforeSettings = 0
    /// The number of bytes of incomplete requests.
    @exclusivity(unchecked) var unfinishedBytes = 0

    @exclusivity(unchecked) var events: [HTTP2Event] = []
    @exclusivity(unchecked) var eventsTaken = 0
    /// Bodies that are not needed any more. They are stopped after the library has returned.
    @exclusivity(unchecked) var abandoned: [any HTTPBodyStream] = []

    /// Streams that have content again.
    @exclusivity(unchecked) var ready: [HTTP2Stream] = []
    /// The output buffer, while the library produces frames.
    @exclusivity(unchecked) var output: [UInt8] = []
    @exclusivity(unchecked) var outputLimit = 0
    /// Content that was read for the current frame.
    @exclusivity(unchecked) var scratch: [UInt8] = []
    /// The number of bytes that the windows permit for the current frame.
    @exclusivity(unchecked) var contentRoom = 0
    @exclusivity(unchecked) var head = ResponseHead()
    @exclusivity(unchecked) var nextSweep: MonotonicTime?
    /// A lower bound of the deadlines of all bodies.
    @exclusivity(unchecked) var nextBodyDeadline: MonotonicTime?
    /// Whether the client has closed its side.
    @exclusivity(unchecked) var hasClientFinished = false
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
        let limits = shared.limits
        self.shared = shared
        self.scheme = scheme
        self.peer = peer
        time = now
        lifetime = Lifetime(limits: limits, now: now, jitter: jitter)
        meter = FrameMeter(limits: limits, now: now)
        resets = Allowance(capacity: limits.resets, perSecond: limits.resetsPerSecond, now: now)
        session = Session(limits: limits)
        session.setConnection(self)
        session.submitSettings(limits)
    }

    /// The number of open streams.
    public var streamCount: Int { streams.count }

    /// Whether ``write(into:limit:)`` has something to write.
    public var hasOutput: Bool { !ready.isEmpty || session.wantsToWrite }

    /// Whether both sides are done: nothing more is read or written, and the socket may be closed.
    public var isFinished: Bool {
        if session.wantsToWrite { return false }
        return ending != nil || !session.wantsToRead
    }

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

    /// Ends the connection because of the client's behaviour.
    func end(_ ending: HTTP2Ending) {
        guard self.ending == nil else { return }
        self.ending = ending
        session.terminate(ending.code)
        for stream in streams.values { abandon(stream) }
    }

    /// Removes the content of a stream; its body is stopped later.
    func abandon(_ stream: HTTP2Stream) {
        if let incoming = stream.incoming { unfinishedBytes -= incoming.countedBytes }
        stream.stage = .dropped
        stream.bytes = []
        stream.offset = 0
        if let body = stream.body { abandoned.append(body) }
        stream.body = nil
    }

    /// Stops abandoned bodies. A body may then call this connection, so stopping it must not happen inside a callback
    /// of the library.
    func stopAbandoned() {
        while !abandoned.isEmpty {
            let bodies = abandoned
            abandoned = []
            for body in bodies { body.stop() }
        }
    }
}
