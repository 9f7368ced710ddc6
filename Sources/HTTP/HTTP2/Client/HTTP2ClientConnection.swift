import CNGHTTP2
public import HTTPModel

/// The client's side of an HTTP/2 connection (RFC 9113) without I/O: requests become bytes, and bytes from the server
/// become events with responses. Confined to one thread.
///
/// The owner passes received bytes (``HTTP2Endpoint/receive(_:now:)``), handles all events (``nextEvent()``) and sends the
/// output of ``HTTP2Endpoint/write(into:limit:)`` while the socket accepts it. It calls ``timePassed(now:)`` at the
/// ``deadline``, and ``close()`` when the socket is closed or the server has closed its side.
///
/// Content flows in both directions as far as the receiver reads: that of a request is read when the server's windows
/// are open, and the windows of a response open when its body is read. All responses share the window of the connection,
/// so responses that nobody reads can delay the others.
///
/// How long a request may take is up to the owner, which cancels it (``cancel(_:)``).
public final class HTTP2ClientConnection: HTTP2Endpoint {
    /// An event that ``nextEvent()`` has not returned.
    private enum Pending {
        case response(IncomingResponse)
        case other(HTTP2ClientEvent)
    }

    private static let maxID = Int32.max

    private let clientLimits: HTTP2ClientLimits
    private var lifetime: ClientLifetime
    private var streams: [Int32: ClientStream] = [:]
    /// Requests that wait until the server accepts another stream, in order.
    private var waiting: [ClientStream] = []
    private var nextID: Int32 = 1
    private var unsentBytes = 0
    private var events: [Pending] = []
    private var eventsTaken = 0
    /// Responses whose consumers have to be notified, which must not happen inside a callback of the library.
    private var noticed: [IncomingResponse] = []
    /// Whether either side has announced the end of the connection, or the socket is closed.
    private var isClosing = false
    private var isClosed = false

    /// Creates a connection that has received nothing yet.
    public init(limits: HTTP2ClientLimits, now: MonotonicTime) {
        clientLimits = limits
        lifetime = ClientLifetime(limits: limits, now: now)
        var shared = limits.connection
        // Each request may have a queued head, window update and reset, which the server has not caused.
        shared.queuedFrames += 3 * shared.concurrentStreams
        super.init(.client, sharing: HTTP2SharedLimits(shared), now: now)
    }

    /// The number of requests that wait or have an open stream.
    public var requestCount: Int { streams.count + waiting.count }

    /// Whether ``send(_:content:)`` takes requests. Once it does not, it never will again.
    public var acceptsRequests: Bool { !isClosing && ending == nil && nextID < HTTP2ClientConnection.maxID }

    /// Whether there may be events that ``nextEvent()`` has not returned.
    public var hasEvents: Bool { eventsTaken < events.count }

    /// Returns the next event, in order. Responses whose requests were cancelled in the meantime are omitted.
    public func nextEvent() -> HTTP2ClientEvent? {
        while hasEvents {
            let event = events[eventsTaken]
            eventsTaken += 1
            if eventsTaken == events.count {
                events = []
                eventsTaken = 0
            }
            switch event {
            case .response(let response):
                if !response.isDropped { return .response(HTTP2StreamID(rawValue: response.id), response.take()) }
            case .other(let event): return event
            }
        }
        return nil
    }

    /// Sends a request, or has it wait until the server accepts another stream. It results in one response or failure,
    /// unless it is cancelled.
    ///
    /// Fields that describe an HTTP/1.1 connection are omitted; those that a `Connection` field names are not.
    ///
    /// - Parameters:
    ///   - request: The request. A method `CONNECT` is a programming error and traps.
    ///   - content: The content and the trailers, instead of those of the request. Not started and not stopped if this
    ///     throws.
    /// - Returns: The stream, which events name.
    public func send(
        _ request: HTTPRequest, content: (any HTTPBodyStream)? = nil
    ) throws(HTTP2SendError) -> HTTP2StreamID {
        precondition(request.method != .connect, "expected a request that is not CONNECT")
        guard acceptsRequests else { throw .closing }
        let headBytes = OutgoingHead.size(of: request)
        guard headBytes <= session.peersHeadBytes else { throw .headTooLarge }
        let bytes = headBytes + request.body.count
        guard room > 0 || waiting.count < clientLimits.waitingRequests,
            unsentBytes + bytes <= clientLimits.unsentBytes
        else { throw .full }
        let stream = ClientStream(id: nextID, connection: self, request: request, unsentBytes: bytes)
        stream.body = content
        nextID += 2
        unsentBytes += bytes
        waiting.append(stream)
        settle()
        return HTTP2StreamID(rawValue: stream.id)
    }

    /// Cancels a request: nothing more of it is sent or received, and no event names it. Ignored if it is complete and its
    /// event was returned, or has failed.
    public func cancel(_ id: HTTP2StreamID) {
        if let index = waiting.firstIndex(where: { $0.id == id.rawValue }) {
            drop(waiting.remove(at: index))
        } else if let stream = streams[id.rawValue] {
            // The library would reset a stream twice, even one that it has not opened.
            if !stream.response.isDropped { reset(stream, .cancel) }
        } else {
            // Complete, but still in the list of events.
            for case .response(let response) in events[eventsTaken...] where response.id == id.rawValue {
                response.drop()
            }
        }
        settle()
        stopAbandoned()
        announceOutput()
    }

    /// Asks for a graceful end: requests that wait fail as unprocessed, and those that were sent are completed. Then the
    /// connection is finished.
    public func drain() {
        guard ending == nil, !isClosed, lifetime.drain() else { return }
        session.submitLastStream()
        beginClosing()
        stopAbandoned()
    }

    /// Fails all requests, because the socket is closed. Handle the events afterwards.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        abandonStreams()
        streams = [:]
        ready = []
        stopAbandoned()
    }

    /// The time at which ``timePassed(now:)`` has to be called, or `nil` for never. Any other call may change it.
    public var deadline: MonotonicTime? {
        guard ending == nil, !isClosed else { return nil }
        return .earliest(lifetime.deadline, meter.blockStart.map { $0 + limits.headTimeout })
    }

    /// Sends pings, and ends connections that are idle, or whose server takes too long. Calling it too early is harmless.
    /// Afterwards there may be events and output.
    public func timePassed(now: MonotonicTime) {
        time = now
        guard ending == nil, !isClosed else { return }
        if let start = meter.blockStart, start + limits.headTimeout <= now {
            end(.headTimeout)
        } else {
            switch lifetime.timePassed(now: now) {
            case .nothing: break
            case .ping: session.submitPing()
            case .drain: drain()
            case .end(let ending): end(ending)
            }
        }
        stopAbandoned()
    }

    // Opening and removing streams.

    /// The number of requests that may be opened.
    private var room: Int { min(session.peersStreams, limits.concurrentStreams) - streams.count }

    override func settle() {
        if !waiting.isEmpty { openWaiting() }
        lifetime.requestsChanged(count: requestCount, now: time)
        while !noticed.isEmpty {
            let responses = noticed
            noticed = []
            for response in responses { response.notify() }
        }
    }

    private func openWaiting() {
        let opened = waiting.prefix(max(0, room))
        waiting.removeFirst(opened.count)
        for stream in opened { open(stream) }
    }

    private func open(_ stream: ClientStream) {
        guard let request = stream.request.take() else { return }
        streams[stream.id] = stream
        if stream.body == nil { stream.bytes = request.body }
        stream.isReady = stream.body != nil
        let hasContent = stream.body != nil || !stream.bytes.isEmpty
        // Content without a length is allowed, but a server may expect one of a method that usually has content.
        let usuallyHasContent = [.post, .put, .patch].contains(request.method)
        head.prepare(
            request,
            contentLength: stream.body.map(\.contentLength)
                ?? (hasContent || usuallyHasContent ? stream.bytes.count : nil))
        var provider = Session.makeDataProvider()
        head.withEntries { entries, count in
            withUnsafePointer(to: &provider) { provider in
                session.check(nghttp2_session_set_next_stream_id(session.pointer, stream.id))
                let opened = nghttp2_submit_request(
                    session.pointer, nil, entries, count, hasContent ? provider : nil, nil)
                session.check(opened)
            }
        }
        stream.body?.start(stream)
    }

    override func outgoing(_ id: Int32) -> OutgoingStream? { streams[id] }

    /// Ends a request because of its response: it fails, and its stream is reset.
    private func reject(_ stream: ClientStream, _ failure: HTTP2RequestFailure) {
        reset(stream, .protocolError)
        report(failure, stream)
    }

    private func reset(_ stream: ClientStream, _ code: HTTP2ErrorCode) {
        // First, so that its window is not opened again.
        session.reset(stream.id, code)
        drop(stream)
    }

    /// Removes the content of a stream in both directions.
    private func drop(_ stream: ClientStream) {
        stopSending(stream)
        stream.response.drop()
    }

    private func stopSending(_ stream: ClientStream) {
        stream.request = nil
        if let body = stream.takeBody() { abandoned.append(body) }
        releaseUnsent(stream)
    }

    private func releaseUnsent(_ stream: ClientStream) {
        unsentBytes -= stream.unsentBytes
        stream.unsentBytes = 0
    }

    private func report(_ failure: HTTP2RequestFailure, _ stream: ClientStream) {
        events.append(.other(.failed(HTTP2StreamID(rawValue: stream.id), failure)))
    }

    /// Takes no more requests, and fails those that wait.
    private func beginClosing() {
        isClosing = true
        let failed = waiting
        waiting = []
        for stream in failed {
            drop(stream)
            report(.unprocessed, stream)
        }
    }

    override func abandonStreams() {
        // In order, so that events are the same in every run.
        for stream in streams.values.sorted(by: { $0.id < $1.id }) where !stream.response.isDropped {
            if stream.response.hasEnded {
                stopSending(stream)
            } else {
                drop(stream)
                report(stream.wasSent ? .connectionEnded : .unprocessed, stream)
            }
        }
        beginClosing()
    }

    // Receiving.

    override func receivingBegins() { lifetime.bytesReceived(now: time) }

    override func frameBegins(_ kind: BegunFrame, on id: Int32) {
        guard ending == nil else { return }
        switch kind {
        case .settings: settingsBegin()
        // Before the server has acknowledged the settings, the library would accept it.
        case .pushPromise: end(.protocolViolation(.protocolError))
        case .head, .other: break
        }
    }

    override func fieldsBegin(on id: Int32, isRequest: Bool) {
        guard let response = streams[id]?.response, response.hasHead else { return }
        response.head.beginTrailers()
    }

    override func fieldReceived(on id: Int32, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard ending == nil, let response = streams[id]?.response, !response.isDropped else { return }
        if let flood = response.head.take(name, value, limits: limits) { end(flood) }
    }

    override func contentReceived(on id: Int32, _ bytes: UnsafeRawBufferPointer) {
        guard ending == nil, let stream = streams[id], !stream.response.isDropped else {
            return session.consume(bytes.count)
        }
        // Credited however short it is: events of many streams are short, and the windows limit them.
        meter.credit(1)
        let response = stream.response
        response.append(bytes)
        guard response.hasHead else { return reject(stream, .malformed(.contentBeforeHead)) }
        guard !stream.forbidsContent, response.count <= response.head.contentLength ?? .max else {
            return reject(stream, .malformed(.bodyLength))
        }
        notice(response)
    }

    private func notice(_ response: IncomingResponse) {
        if response.needsNotice() { noticed.append(response) }
    }

    override func frameReceived(_ frame: ReceivedFrame) {
        guard ending == nil else { return }
        switch frame {
        case .fields(let id, _, let endsStream):
            if let stream = streams[id], !stream.response.isDropped { fieldsEnded(on: stream, endsStream: endsStream) }
        case .content(let id, let endsStream):
            if endsStream, let stream = streams[id], !stream.response.isDropped { complete(stream) }
        case .reset(let id): streams[id]?.wasReset = true
        case .settings:
            lifetime.settingsReceived(now: time)
            settingsWereApplied()
        case .goAway(let code):
            beginClosing()
            events.append(.other(.goAway(code)))
        case .pingAcknowledged, .other: break
        }
    }

    private func fieldsEnded(on stream: ClientStream, endsStream: Bool) {
        let response = stream.response
        response.head.finish(endsStream: endsStream)
        if let error = response.head.error { return reject(stream, .malformed(error)) }
        if response.head.isTooLarge { return reject(stream, .headTooLarge) }
        if response.head.isInterim {
            response.head = ResponseHead()
            stream.interimCount += 1
            if stream.interimCount > clientLimits.interimResponses { reject(stream, .interimResponses) }
            return
        }
        if !response.hasHead {
            response.hasHead = true
            events.append(.response(response))
        }
        if endsStream { complete(stream) }
    }

    private func complete(_ stream: ClientStream) {
        let response = stream.response
        guard response.hasHead else { return reject(stream, .malformed(.contentBeforeHead)) }
        if !stream.forbidsContent, let length = response.head.contentLength, length != response.count {
            return reject(stream, .malformed(.bodyLength))
        }
        response.hasEnded = true
        notice(response)
        meter.credit(HTTP2ClientConnection.responseWork)
        // The server does not need the rest of the request (RFC 9113 §8.1).
        if !stream.hasSentAll { session.reset(stream.id, .noError) }
    }

    /// The number of frames that a complete response is credited with: its own, and those that belong to its request.
    private static let responseWork = 6

    override func streamClosed(_ id: Int32, _ code: HTTP2ErrorCode) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        stopSending(stream)
        guard !stream.response.isDropped, !stream.response.hasEnded else { return }
        // The library closes streams with this code, too, that come after the last one of a `GOAWAY` frame.
        let isRefused = code == .refusedStream && !stream.response.hasHead
        drop(stream)
        report(isRefused ? .unprocessed : stream.wasReset ? .reset(code) : .protocolViolation(code), stream)
    }

    override func headWillBeSent(on id: Int32) { streams[id]?.wasSent = true }

    override func frameWasSent(_ frame: SentFrame) {
        switch frame {
        case .fields(let id, let endsStream): if endsStream { requestEnded(on: id) }
        case .content(let id, let endsStream):
            creditContent()
            if endsStream { requestEnded(on: id) }
        case .goAway(let code): goAwayWasSent(code)
        case .reset, .other: break
        }
    }

    private func requestEnded(on id: Int32) {
        guard let stream = streams[id] else { return }
        stream.hasSentAll = true
        releaseUnsent(stream)
    }

    /// Opens the windows again, because content was read.
    func contentWasRead(_ count: Int, of id: Int32) {
        guard !isClosed, ending == nil else { return }
        session.consume(count, of: id)
        announceOutput()
    }

    private func announceOutput() {
        if session.wantsToWrite { owner?.connectionHasOutput() }
    }
}
