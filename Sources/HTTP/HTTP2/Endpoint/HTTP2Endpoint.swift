import CNGHTTP2
public import HTTPModel

/// The owner of an HTTP/2 connection, which transfers its bytes.
public protocol HTTP2ConnectionOwner: AnyObject {
    /// Called when a stream has content again. Only record the call: ``HTTP2Endpoint/write(into:limit:)`` must be
    /// called later, not inside this method.
    func connectionHasOutput()
}

/// What both sides of an HTTP/2 connection (RFC 9113) do in the same way: they receive measured bytes, send the content
/// of streams as far as the windows permit, and end when the peer violates the protocol or exceeds a limit. Confined to
/// one thread.
///
/// ``HTTP2Connection`` is the server's side, ``HTTP2ClientConnection`` the client's.
public class HTTP2Endpoint {
    // A superclass, because the library's callbacks are C functions, which cannot be generic, and because a call through
    // its table retains nothing.

    /// The limits of the connection.
    public final var limits: HTTP2Limits { shared.limits }
    private final let shared: HTTP2SharedLimits
    /// Notified when a stream has content again.
    public final weak var owner: (any HTTP2ConnectionOwner)?
    /// The reason why this side ended the connection; `nil` while it is open and after a regular end.
    @exclusivity(unchecked) public final internal(set) var ending: HTTP2Ending?

    final let session: Session
    // Exclusivity checks are off: the connection is confined to one thread, and no inout access lasts during a call to
    // the library, whose callbacks access the same properties.
    @exclusivity(unchecked) final var time: MonotonicTime
    @exclusivity(unchecked) final var meter: FrameMeter
    /// The number of queued frames when the peer's settings arrived.
    @exclusivity(unchecked) private final var queuedBeforeSettings = 0
    /// Bodies that are not needed any more. They are stopped after the library has returned.
    @exclusivity(unchecked) final var abandoned: [any HTTPBodyStream] = []

    /// Streams that have content again.
    @exclusivity(unchecked) final var ready: [OutgoingStream] = []
    /// The output buffer, while the library produces frames.
    @exclusivity(unchecked) final var output: [UInt8] = []
    @exclusivity(unchecked) final var outputLimit = 0
    /// Content that was read for the current frame.
    @exclusivity(unchecked) final var scratch: [UInt8] = []
    /// The number of bytes that the windows permit for the current frame.
    @exclusivity(unchecked) final var contentRoom = 0
    @exclusivity(unchecked) final var head = OutgoingHead()

    init(_ side: Session.Side, sharing shared: HTTP2SharedLimits, now: MonotonicTime) {
        self.shared = shared
        time = now
        meter = FrameMeter(limits: shared.limits, followsPreface: side == .server, now: now)
        session = Session(side, limits: shared.limits)
        session.setEndpoint(self)
        session.submitSettings(shared.limits, side)
    }

    /// Whether ``write(into:limit:)`` has something to write.
    public final var hasOutput: Bool { !ready.isEmpty || session.wantsToWrite }

    /// Whether both sides are done: nothing more is read or written, and the socket may be closed.
    public final var isFinished: Bool {
        if session.wantsToWrite { return false }
        return ending != nil || !session.wantsToRead
    }

    // What each side does in its own way. These functions are called while the library processes or produces frames.

    /// Returns the stream whose content is sent.
    func outgoing(_ id: Int32) -> OutgoingStream? { nil }

    /// Called when the header of a frame has been received.
    func frameBegins(_ kind: BegunFrame, on id: Int32) {}

    /// Called at the beginning of a header block.
    func fieldsBegin(on id: Int32, isRequest: Bool) {}

    func fieldReceived(on id: Int32, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {}

    func contentReceived(on id: Int32, _ bytes: UnsafeRawBufferPointer) {}

    func frameReceived(_ frame: ReceivedFrame) {}

    func streamClosed(_ id: Int32, _ code: HTTP2ErrorCode) {}

    /// Called when the bytes of a header block are produced, on the client's side only.
    func headWillBeSent(on id: Int32) {}

    /// Called before the bytes of the next frame are produced, which may be much later.
    func frameWasSent(_ frame: SentFrame) {}

    // These are called outside of the library.

    /// Called before bytes are processed.
    func receivingBegins() {}

    /// Returns an error code if content must not arrive on a stream.
    func contentBegins(on id: Int32) -> HTTP2ErrorCode? { nil }

    /// Called when streams may have been opened or closed.
    func settle() {}

    /// Removes the content of all streams, because the connection has ended.
    func abandonStreams() {}
}

// Receiving.
extension HTTP2Endpoint {
    /// The number of bytes that are measured before they are processed: few enough that completed work is credited
    /// before the next measurement.
    private static let slice = 8 << 10

    /// Processes all bytes that the peer has sent. Afterwards there may be events and output, or the connection may
    /// have ended.
    public final func receive(_ bytes: UnsafeRawBufferPointer, now: MonotonicTime) {
        _ = receive(bytes, now: now, frameLimit: .max)
    }

    /// Processes bytes that the peer has sent, up to a number of frames. Afterwards there may be events and output,
    /// or the connection may have ended.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that follow the ones already processed.
    ///   - now: The current time.
    ///   - frameLimit: The number of frames after which the rest is left unprocessed, so that a peer with many small
    ///     messages does not delay others. Content that does not end its stream is not counted.
    /// - Returns: The number of processed bytes. Pass the others again. If the connection has ended, all bytes count as
    ///   processed.
    public final func receive(_ bytes: UnsafeRawBufferPointer, now: MonotonicTime, frameLimit: Int) -> Int {
        time = now
        meter.framesLeft = frameLimit
        receivingBegins()
        var offset = 0
        while offset < bytes.count, ending == nil, meter.framesLeft > 0 {
            let end = min(bytes.count, offset + HTTP2Endpoint.slice)
            let slice = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
            let (count, flood) = meter.measure(slice, now: now) { contentBegins(on: $0) }
            take(UnsafeRawBufferPointer(rebasing: slice[..<count]))
            if let flood { self.end(flood) }
            if session.queuedFrames > limits.queuedFrames { self.end(.queuedFrames) }
            offset += count
        }
        settle()
        stopAbandoned()
        return ending == nil ? offset : bytes.count
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        // If the payload of settings arrives later than their header, this side may have queued frames in between.
        settingsBegin()
        let taken = nghttp2_session_mem_recv(
            session.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        guard taken < 0 else { return }
        switch Int32(taken) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue: end(.preface)
        case NGHTTP2_ERR_FLOODED.rawValue: end(.queuedFrames)
        default: end(.failure)
        }
    }

    /// Called before the peer's settings can be applied.
    final func settingsBegin() { queuedBeforeSettings = session.queuedFrames }

    /// Called when the peer's settings have been applied, for which one acknowledgement is queued. Further queued
    /// frames are resets of streams whose window exceeded its maximum, which is a connection error (RFC 9113 §6.9.2).
    final func settingsWereApplied() {
        if session.queuedFrames > queuedBeforeSettings + 1 { end(.protocolViolation(.flowControlError)) }
    }
}

// Ending.
extension HTTP2Endpoint {
    /// Ends the connection because of the peer's behaviour.
    final func end(_ ending: HTTP2Ending) {
        guard self.ending == nil else { return }
        self.ending = ending
        session.terminate(ending.code)
        abandonStreams()
    }

    /// Called when a `GOAWAY` frame was sent. The library also ends a connection after invalid frames. If an ending is
    /// known already, that is the cause.
    final func goAwayWasSent(_ code: HTTP2ErrorCode) {
        guard code != .noError, code != ending?.code else { return }
        ending = .protocolViolation(code)
        abandonStreams()
    }

    /// Stops abandoned bodies. A body may then call this connection, so stopping it must not happen inside a callback
    /// of the library.
    final func stopAbandoned() {
        while !abandoned.isEmpty {
            let bodies = abandoned
            abandoned = []
            for body in bodies { body.stop() }
        }
    }
}
