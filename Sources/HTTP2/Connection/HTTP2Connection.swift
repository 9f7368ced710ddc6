public import HTTPModel

/// What owns a connection of HTTP/2 and moves its bytes.
public protocol HTTP2ConnectionOwner: AnyObject {
    /// A stream has content again. Only a mark is to be made: ``HTTP2Connection/write(into:limit:)`` may be called later, not
    /// from inside.
    func connectionHasOutput()
}

/// The server's side of one connection of HTTP/2 (RFC 9113), without I/O: the client's bytes go in, requests come out as
/// events; answers go in, bytes come out. Confined to one thread.
///
/// Its owner gives it what it read (``receive(_:now:)``), takes all events (``nextEvent()``), answers them
/// (``respond(to:with:date:)``), and sends what ``write(into:limit:)`` makes while the socket takes it. Content is
/// asked for only when the windows of its stream and of the connection are open and the owner wants bytes.
///
/// A client that floods, resets or stalls is counted against ``HTTP2Limits``; when one is passed ``ending`` says which, the
/// rest of its bytes is ignored, and the last thing written is a `GOAWAY`.
public final class HTTP2Connection {
    /// What the client may ask of it.
    public var limits: HTTP2Limits { shared.limits }
    private let shared: HTTP2SharedLimits
    /// Who asks, in every one of its requests.
    public let peer: HTTPPeer
    /// Told when a stream has content again.
    public weak var owner: (any HTTP2ConnectionOwner)?
    /// Why the connection was ended; `nil` while it goes on, and also where it ends in peace.
    @exclusivity(unchecked) public internal(set) var ending: HTTP2Ending?

    let scheme: String
    let session: Session
    // One thread only, and no inout access lasts over a call to the library: nothing is left for the run time to check.
    @exclusivity(unchecked) var streams: [Int32: HTTP2Stream] = [:]
    /// The stream that was asked for last, which is mostly the next one too.
    @exclusivity(unchecked) private var recent: HTTP2Stream?
    @exclusivity(unchecked) var time: MonotonicTime
    @exclusivity(unchecked) var lifetime: Lifetime
    @exclusivity(unchecked) var meter: FrameMeter
    @exclusivity(unchecked) var resets: Allowance
    @exclusivity(unchecked) var history = StreamHistory()
    /// Frames that waited to be sent when the client's settings came.
    @exclusivity(unchecked) var queuedBeforeSettings = 0
    /// Bytes of requests that are not whole.
    @exclusivity(unchecked) var unfinishedBytes = 0

    @exclusivity(unchecked) var events: [HTTP2Event] = []
    @exclusivity(unchecked) var eventsTaken = 0
    /// Bodies that nobody reads any more, told so once the library has returned.
    @exclusivity(unchecked) var abandoned: [any HTTPBodyStream] = []

    /// Streams whose content goes on.
    @exclusivity(unchecked) var ready: [HTTP2Stream] = []
    /// What is written to, while the library makes frames.
    @exclusivity(unchecked) var output: [UInt8] = []
    @exclusivity(unchecked) var outputLimit = 0
    /// Content that was read for the frame that is being made.
    @exclusivity(unchecked) var scratch: [UInt8] = []
    /// How much the windows leave for it.
    @exclusivity(unchecked) var contentRoom = 0
    @exclusivity(unchecked) var head = ResponseHead()
    @exclusivity(unchecked) var nextSweep: MonotonicTime?
    /// No body's time is up earlier.
    @exclusivity(unchecked) var nextBodyDeadline: MonotonicTime?
    /// Whether the client sends no more.
    @exclusivity(unchecked) var hasClientFinished = false
    /// Whether memory has been let go of since there was last something to do.
    @exclusivity(unchecked) var isAtRest = false
    @exclusivity(unchecked) var windowStall: MonotonicTime?

    /// A connection of which nothing has been read yet. `scheme` is what its requests say (`http` or `https`), and `jitter`
    /// a random part between 0 and 1 by which its age is shortened.
    public convenience init(
        limits: HTTP2Limits, scheme: String, peer: HTTPPeer, now: MonotonicTime, jitter: Double = 0
    ) {
        self.init(sharing: HTTP2SharedLimits(limits), scheme: scheme, peer: peer, now: now, jitter: jitter)
    }

    /// As ``init(limits:scheme:peer:now:jitter:)``, with limits that many connections have in common.
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

    /// How many streams are open.
    public var streamCount: Int { streams.count }

    /// Whether ``write(into:limit:)`` has something to write.
    public var hasOutput: Bool { !ready.isEmpty || session.wantsToWrite }

    /// Whether all is said on both sides: nothing more is read or written, and the socket may be closed.
    public var isFinished: Bool {
        if session.wantsToWrite { return false }
        return ending != nil || !session.wantsToRead
    }

    /// The next thing that came of the client's bytes, in order. A request that was reset before it was asked for is left
    /// out.
    public func nextEvent() -> HTTP2Event? {
        while eventsTaken < events.count {
            let event = events[eventsTaken]
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
        case .request(let id, _), .refusal(let id, _):
            guard ending == nil, let stream = find(id.rawValue), case .asked = stream.stage else { return false }
            stream.isKnown = true
            return true
        case .malformed, .reset, .goAway: return true
        }
    }

    /// A stream that is open.
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

    /// The client sends no more, though it may still read. Answers go on as far as its windows are open; requests that are not
    /// whole never will be, and streams of events end, as nobody follows them.
    public func clientFinished() {
        hasClientFinished = true
        for stream in streams.values {
            switch stream.stage {
            case .receiving: break
            case .answering: if !stream.sendsEvents { continue }
            case .asked, .dropped: continue
            }
            abandon(stream)
            session.reset(stream.id, .cancel)
        }
        tellAbandoned()
    }

    /// Whether there are streams, and every one of them has an answer that goes on when its body has more content.
    public var awaitsContent: Bool {
        !streams.isEmpty && streams.values.allSatisfy { $0.isDeferred && $0.body != nil }
    }

    /// The socket is gone: stops all bodies and forgets all streams. To be called once, at the end.
    public func close() {
        for stream in streams.values { abandon(stream) }
        streams = [:]
        recent = nil
        ready = []
        events = []
        eventsTaken = 0
        tellAbandoned()
    }

    /// Ends the connection because of what the client did.
    func end(_ ending: HTTP2Ending) {
        guard self.ending == nil else { return }
        self.ending = ending
        session.terminate(ending.code)
        for stream in streams.values { abandon(stream) }
    }

    /// Takes a stream's content away; its body is told later.
    func abandon(_ stream: HTTP2Stream) {
        if let incoming = stream.incoming { unfinishedBytes -= incoming.countedBytes }
        stream.stage = .dropped
        stream.bytes = []
        stream.offset = 0
        if let body = stream.body { abandoned.append(body) }
        stream.body = nil
    }

    /// What the bodies do when they are stopped is their own: it must not happen while the library is at work.
    func tellAbandoned() {
        while !abandoned.isEmpty {
            let bodies = abandoned
            abandoned = []
            for body in bodies { body.stop() }
        }
    }
}
