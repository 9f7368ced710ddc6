import HTTP1
import HTTPModel

/// What an HTTP/1.1 connection does, decided without I/O: one method per event, which changes the state and returns the action
/// that ``Connection`` performs.
///
/// Actions carry no data on the path of a request, so that they are returned in a register. Their data is in the state, and the
/// `take…` methods move it out.
struct ConnectionState {
    // A class holds this value, so a call of a method that does not change it copies all of it first, with a retain of each part.
    // The methods that every request calls are inlined for that reason, and read no more than they need.

    /// The situations of a connection.
    enum Phase {
        /// Waits for a request, or reads one.
        case reading(isFirst: Bool)
        /// A request has arrived that is to be answered on this loop.
        // Indirect, as a message in place would make every copy of the state six times as large. Rare: the first request of
        // a connection, and each that changes the loop.
        indirect case received(HTTP1Message)
        /// The responder answers the request, or has promised to.
        case awaitingResponse
        /// The response is to be sent, or awaited, on this loop.
        case responding(PendingResponse)
        /// The content of the response is sent as it is made.
        case streaming(StreamedBody)
        /// The last response is being sent. What the peer still sends is discarded.
        case lingering(Lingering)
        /// The request or its response belongs to another loop.
        indirect case leaving(toLoop: Int, HandedOff)
        /// Another loop answers the request and may touch the connection. See ``ConnectionOwnership``.
        case lent
        /// The client speaks HTTP/2. These are its first bytes.
        case upgrading([UInt8])
        /// The socket is closed, or belongs to another connection object.
        case closed
    }

    /// What a connection takes to another loop.
    enum HandedOff {
        case request(HTTP1Message, isFirst: Bool)
        case response(PendingResponse)
    }

    private(set) var phase = Phase.reading(isFirst: true)
    /// What is known about the socket.
    private(set) var readiness: SocketReadiness = []
    private(set) var progress = StepProgress.idle
    /// Whether the body stream may have content. Apart from `phase`, because changing data inside of it would cost a
    /// retain and a release of the stream with every event that is sent.
    private var isBodyReady = false
    private var affinity = LoopAffinity()
}

// Steps.
extension ConnectionState {
    enum StepAction {
        case readRequest, askResponder, respond, readBody, linger
        /// There is nothing to do until the next event.
        case pause
    }

    mutating func stepBegan() { progress.begin() }

    mutating func budgetWasExhausted() { progress.exhaust() }

    /// Returns the next thing to do in a step.
    ///
    /// - Parameter canSend: Whether the socket has accepted all bytes. A peer that does not read its responses gets no more.
    @inline(__always)
    func next(canSend: Bool) -> StepAction {
        switch phase {
        case .reading: canSend ? .readRequest : .pause
        case .received: .askResponder
        case .responding: .respond
        case .streaming: isBodyReady && canSend ? .readBody : .pause
        case .lingering: .linger
        case .awaitingResponse, .leaving, .lent, .upgrading, .closed: .pause
        }
    }

    enum StepEndAction {
        case none, upgrade, leave
        /// Wait for the next event, at most until the deadline.
        case wait
        /// As `wait`, and have another step after those of the loop's other connections.
        case yield
    }

    mutating func stepEnded(canSend: Bool) -> StepEndAction {
        progress.end()
        return switch phase {
        case .closed: .none
        case .upgrading: .upgrade
        case .leaving: .leave
        default: progress.yields && canSend ? .yield : .wait
        }
    }

    /// Whether what a step has written may be sent at the end of the loop's round. `false` where the connection may be closed or
    /// may have left the loop by then.
    @inline(__always)
    var sendsAtEndOfRound: Bool {
        switch phase {
        case .reading, .awaitingResponse, .streaming: true
        case .received, .responding, .lingering, .leaving, .lent, .upgrading, .closed: false
        }
    }
}

// The socket.
extension ConnectionState {
    enum SocketAction {
        case step, close
        /// Close so that the kernel discards unsent bytes.
        case abort
    }

    mutating func socketBecameReady(_ events: SocketEvents) -> SocketAction {
        if events.contains(.failed) { return .abort }
        readiness.note(events)
        guard !events.isDisjoint(with: [.peerFinished, .hungUp]), case .streaming(let body) = phase else {
            return .step
        }
        // A client that has closed its sending side still gets the whole response (RFC 9112 §9.6). A stream of events is never
        // whole, and its client has no reason to close its side other than that it has left.
        return body.sendsEvents || events.contains(.hungUp) ? .close : .step
    }

    /// The socket may have bytes that no event has reported yet.
    mutating func inputMayHaveArrived() { readiness.insert(.canRead) }

    /// A read returned fewer bytes than there was room for.
    mutating func inputWasExhausted() { readiness.inputWasExhausted() }

    /// A read returned no bytes.
    mutating func inputWasBlocked() { readiness.remove(.canRead) }

    /// TLS reported the end of the peer's side, which is still to be read.
    mutating func peerFinished() { readiness.insert(.peerFinished) }

    enum InputEndAction { case none, refuseTruncatedRequest }

    /// Everything that the peer sent has been read.
    ///
    /// - Parameter isBetweenRequests: Whether it ended where a request may begin.
    mutating func inputEnded(isBetweenRequests: Bool) -> InputEndAction {
        readiness.insert(.peerFinished)
        readiness.remove(.canRead)
        guard isBetweenRequests else { return .refuseTruncatedRequest }
        phase = .lingering(Lingering())
        return .none
    }
}

// Requests.
extension ConnectionState {
    /// Whether the connection waits for a request, or reads one.
    @inline(__always)
    var isReading: Bool {
        if case .reading = phase { true } else { false }
    }

    /// Whether no request has arrived yet.
    @inline(__always)
    var awaitsFirstRequest: Bool {
        if case .reading(isFirst: true) = phase { true } else { false }
    }

    /// A request arrived that is answered on this loop.
    mutating func requestArrived() { phase = .awaitingResponse }

    /// A request arrived that belongs to this loop, rather than to any.
    mutating func requestBelongedHere() { affinity.reset() }

    /// A request arrived that has to be answered on another loop.
    mutating func requestArrived(_ message: HTTP1Message, forLoop index: Int) {
        phase = .leaving(toLoop: index, .request(message, isFirst: awaitsFirstRequest))
    }

    /// The response of a request belongs to another loop.
    mutating func responseArrived(_ response: PendingResponse, onLoop index: Int) {
        phase = .leaving(toLoop: index, .response(response))
    }

    /// The client speaks HTTP/2, and has sent these bytes.
    mutating func http2WasDetected(_ bytes: [UInt8]) { phase = .upgrading(bytes) }

    /// Moves out the request that is to be answered here, if there is one.
    mutating func takeRequest() -> HTTP1Message? {
        guard case .received(let message) = phase else { return nil }
        phase = .awaitingResponse
        return message
    }

    /// Moves out the response that is to be sent or awaited here, if there is one.
    mutating func takeResponse() -> PendingResponse? {
        guard case .responding(let response) = phase else { return nil }
        phase = .awaitingResponse
        return response
    }

    /// Closes this state in favour of a connection of HTTP/2. Returns the bytes that it starts with.
    mutating func takeUpgrade() -> [UInt8]? {
        guard case .upgrading(let bytes) = phase else { return nil }
        phase = .closed
        return bytes
    }
}

// Responses.
extension ConnectionState {
    enum PromiseAction {
        /// Nobody waits for the response.
        case discard
        /// The present step goes on with it.
        case proceed
        /// Start a step at the end of the round.
        case schedule
    }

    /// A promised response was made.
    mutating func promiseWasFulfilled(_ response: HTTPResponse) -> PromiseAction {
        guard case .awaitingResponse = phase else { return .discard }
        phase = .responding(.ready(response))
        return progress.isRunning ? .proceed : .schedule
    }

    enum BodyStartAction {
        case start
        /// The response has no content: stop the stream.
        case discard
        /// Nobody may be there to receive the content: stop the stream, and end the content behind the head.
        case end
    }

    /// A head was written whose content is sent a part at a time.
    mutating func bodyBegan(_ body: StreamedBody) -> BodyStartAction {
        if body.framing == .none { return .discard }
        if body.sendsEvents, readiness.contains(.peerFinished) { return .end }
        phase = .streaming(body)
        isBodyReady = true
        return .start
    }

    /// The body stream announced content. Returns whether a step is to be started at the end of the round.
    mutating func bodyBecameReady() -> Bool {
        guard case .streaming = phase else { return false }
        isBodyReady = true
        return !progress.isRunning
    }

    /// A part of the content is about to be read. Returns the body, if one is being sent.
    mutating func bodyReadBegan() -> StreamedBody? {
        guard case .streaming(let body) = phase else { return nil }
        // Cleared before the read, as the stream may announce more content while it is read.
        isBodyReady = false
        return body
    }

    enum BodyAction { case pause, readAgain, flush, end }

    mutating func bodyWasRead(_ progress: HTTPBodyProgress) -> BodyAction {
        switch progress {
        case .waiting: return isBodyReady ? .readAgain : .pause
        case .more:
            isBodyReady = true
            return .flush
        case .finished: return .end
        }
    }

    /// All of a response has been written.
    mutating func responseEnded(keepsAlive: Bool) {
        phase = keepsAlive ? .reading(isFirst: false) : .lingering(Lingering())
        isBodyReady = false
    }
}

// The end.
extension ConnectionState {
    enum DrainAction {
        /// The connection is busy and ends after its response.
        case none
        /// No request has arrived, and one may be in flight: wait for it, for a short time.
        case awaitFirstRequest
        /// A request may have arrived that no event has reported yet: look for it before the connection is closed.
        case readOnce
    }

    /// The server shuts down.
    ///
    /// - Parameter isIdle: Whether nothing has been read and not parsed, or written and not sent.
    func drainBegan(isIdle: Bool) -> DrainAction {
        guard case .reading(let isFirst) = phase, isIdle else { return .none }
        return isFirst ? .awaitFirstRequest : .readOnce
    }

    /// Whether the connection lingers, and whether it has closed its sending side; `nil` in any other phase.
    @inline(__always)
    var lingering: Lingering? {
        if case .lingering(let lingering) = phase { lingering } else { nil }
    }

    /// While the connection lingers, the socket has accepted everything. Returns whether the sending side is to be closed now.
    mutating func lingeringOutputWasSent() -> Bool {
        guard case .lingering(var lingering) = phase else { return false }
        defer { phase = .lingering(lingering) }
        return lingering.outputWasSent()
    }

    /// While the connection lingers, bytes of the peer were discarded. Returns whether the peer may go on.
    mutating func lingeringInputWasDiscarded(_ count: Int) -> Bool {
        guard case .lingering(var lingering) = phase else { return false }
        defer { phase = .lingering(lingering) }
        return lingering.discarded(count)
    }

    enum CloseAction {
        /// The connection is closed already.
        case none
        /// - Parameters:
        ///   - canSend: Whether the sending side is still open.
        ///   - body: The content that is not sent to its end.
        case close(canSend: Bool, body: (any HTTPBodyStream)?)
    }

    mutating func close() -> CloseAction {
        switch phase {
        case .closed: return .none
        case .streaming(let body):
            phase = .closed
            return .close(canSend: true, body: body.stream)
        default:
            let hasFinishedSending = lingering?.hasFinishedSending ?? false
            phase = .closed
            return .close(canSend: !hasFinishedSending, body: nil)
        }
    }

    @inline(__always)
    var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }
}

// Other loops.
extension ConnectionState {
    enum LeaveAction {
        case none
        /// Move to the loop.
        case move(toLoop: Int)
        /// Stay, and lend the connection to the loop until the request is answered.
        case lend(HTTP1Message, toLoop: Int)
    }

    /// The connection is about to leave for another loop.
    ///
    /// - Parameter canSend: Whether the socket has accepted all bytes. Unsent responses come before the one that the other loop
    ///   would write, and it is this loop that the kernel notifies when they can be sent.
    mutating func leave(canSend: Bool) -> LeaveAction {
        guard case .leaving(let index, let content) = phase else { return .none }
        switch content {
        case .response(let response): phase = .responding(response)
        case .request(let message, let isFirst):
            let belongsThere = affinity.requestArrived(forLoop: index)
            guard isFirst || belongsThere || !canSend else {
                phase = .lent
                return .lend(message, toLoop: index)
            }
            affinity.reset()
            phase = .received(message)
        }
        return .move(toLoop: index)
    }

    /// The loop that the connection was lent to has a response that is to be sent from another place.
    mutating func resume(with response: PendingResponse) { phase = .responding(response) }

    /// The connection left its loop's epoll set and moves to another one.
    mutating func leftEpollSet() {
        // The other epoll set reports again what the socket is ready for.
        readiness.remove(.canRead)
    }
}
