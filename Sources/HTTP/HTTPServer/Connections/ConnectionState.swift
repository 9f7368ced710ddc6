import HTTP1
import HTTPModel

/// The state machine of an HTTP/1.1 connection, without I/O. Each event has a method, which changes the state and
/// returns the action that ``Connection`` must perform.
///
/// The actions on the path of a request carry no data, so that they are returned in a register. Their data is in the
/// state, and the `take…` methods move it out.
struct ConnectionState {
    // A class holds this value, so a call of a method that does not change it copies all of it first, with a retain of
    // each part. Therefore the methods that are called for every request are inlined and read only the parts that they
    // need.

    enum Phase {
        /// Waits for a request, or reads one.
        case reading(isFirst: Bool)
        /// A request for this loop has arrived.
        // Indirect, because an inline message would make every copy of the state six times as large. The case is rare:
        // the first request of a connection, and each request that changes the loop.
        indirect case received(HTTP1Message)
        /// The responder is processing the request, or has promised a response.
        case awaitingResponse
        /// The response must be sent or awaited on this loop.
        case responding(HTTPAnswer)
        /// The content of the response is sent while it is produced.
        case streaming(StreamedBody)
        /// The last response is being sent. Further bytes of the peer are discarded.
        case lingering(Lingering)
        /// The request or its response belongs to another loop.
        indirect case leaving(toLoop: Int, HandedOff)
        /// Another loop processes the request and may access the connection. See ``ConnectionOwnership``.
        case lent
        /// The client uses HTTP/2. The associated value contains its first bytes.
        case upgrading([UInt8])
        /// The socket is closed, or belongs to another connection object.
        case closed
    }

    /// The message that a connection carries to another loop.
    enum HandedOff {
        case request(HTTP1Message, isFirst: Bool)
        case response(HTTPAnswer)
    }

    private(set) var phase = Phase.reading(isFirst: true)
    /// The known readiness of the socket.
    private(set) var readiness: SocketReadiness = []
    private(set) var progress = StepProgress.idle
    /// Whether the body stream may have content. Separate from `phase`, because changing data inside the phase would
    /// cost a retain and a release of the stream for every sent event.
    private var isBodyReady = false
    private var affinity = LoopAffinity()
}

extension ConnectionState {
    enum StepAction {
        case readRequest, askResponder, respond, readBody, linger
        /// Wait for the next event.
        case pause
    }

    mutating func stepBegan() { progress.begin() }

    mutating func budgetWasExhausted() { progress.exhaust() }

    /// Returns the next thing to do in a step.
    ///
    /// - Parameter canSend: Whether the socket has accepted all bytes. A peer that does not read its responses gets no
    ///   further ones.
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
        /// Wait as for `wait`, and run another step after those of the loop's other connections.
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

    /// Whether the output of a step may be sent at the end of the loop's round. `false` if the connection may be closed
    /// or may have left the loop by then.
    @inline(__always)
    var sendsAtEndOfRound: Bool {
        switch phase {
        case .reading, .awaitingResponse, .streaming: true
        case .received, .responding, .lingering, .leaving, .lent, .upgrading, .closed: false
        }
    }
}

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
        // A client that has closed its sending side still gets the whole response (RFC 9112 §9.6). A stream of events
        // never completes, and its client closes its side only if it no longer reads the stream.
        return body.sendsEvents || events.contains(.hungUp) ? .close : .step
    }

    /// Records that the socket may have bytes that no event has reported yet.
    mutating func inputMayHaveArrived() { readiness.insert(.canRead) }

    enum ReadAction: Equatable {
        /// Continue with the bytes, or with the phase that follows.
        case proceed
        /// Wait for the next event.
        case pause
        /// Respond to the incomplete request with an error.
        case refuseTruncatedRequest
        /// - Parameter abruptly: Whether the kernel discards unsent bytes and resets the peer.
        case close(abruptly: Bool)
        /// Close because the transport failed, after the alert of TLS if there is one.
        case fail
    }

    /// Records the result of a read.
    @inline(__always)
    mutating func inputWasRead(_ arrival: RequestReader.Arrival) -> ReadAction {
        switch arrival {
        case .bytes: return .proceed
        case .allBytes:
            readiness.inputWasExhausted()
            return .proceed
        case .lastBytes:
            readiness.insert(.peerFinished)
            return .proceed
        case .nothing:
            readiness.remove(.canRead)
            return .pause
        case .http2:
            readiness.remove(.canRead)
            // In HTTP/2, both sides send a preface immediately. So the HTTP/2 connection takes over although the client
            // has sent nothing yet.
            return .proceed
        case .end(let isBetweenRequests):
            readiness.insert(.peerFinished)
            readiness.remove(.canRead)
            guard isBetweenRequests else { return .refuseTruncatedRequest }
            phase = .lingering(Lingering())
            return .proceed
        case .endOfHandshake: return .close(abruptly: false)
        case .failure: return .fail
        }
    }
}

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

    /// Records the arrival of a request that this loop responds to.
    mutating func requestArrived() { phase = .awaitingResponse }

    /// Records the arrival of a request that belongs to this loop in particular.
    mutating func requestBelongedHere() { affinity.reset() }

    /// Records the arrival of a request that another loop must respond to.
    mutating func requestArrived(_ message: HTTP1Message, forLoop index: Int) {
        phase = .leaving(toLoop: index, .request(message, isFirst: awaitsFirstRequest))
    }

    /// Records a response that belongs to another loop.
    mutating func responseArrived(_ response: HTTPAnswer, onLoop index: Int) {
        phase = .leaving(toLoop: index, .response(response))
    }

    /// Records that the client uses HTTP/2 and has sent these bytes.
    mutating func http2WasDetected(_ bytes: [UInt8]) { phase = .upgrading(bytes) }

    /// Moves out the request that this loop must respond to; `nil` if none exists.
    mutating func takeRequest() -> HTTP1Message? {
        guard case .received(let message) = phase else { return nil }
        phase = .awaitingResponse
        return message
    }

    /// Moves out the response that must be sent or awaited on this loop; `nil` if none exists.
    mutating func takeResponse() -> HTTPAnswer? {
        guard case .responding(let response) = phase else { return nil }
        phase = .awaitingResponse
        return response
    }

    /// Closes this state because an HTTP/2 connection takes over. Returns the first bytes for that connection, or `nil`
    /// if the client does not use HTTP/2.
    mutating func takeUpgrade() -> [UInt8]? {
        guard case .upgrading(let bytes) = phase else { return nil }
        phase = .closed
        return bytes
    }
}

extension ConnectionState {
    enum PromiseAction {
        /// The connection no longer waits for the response.
        case discard
        /// The current step continues with the response.
        case proceed
        /// Start a step at the end of the round.
        case schedule
    }

    /// Whether the connection waits for a promised response. A closed one does not.
    var awaitsPromise: Bool {
        if case .awaitingResponse = phase { true } else { false }
    }

    /// Records that a promised response is available.
    ///
    /// - Parameter index: The loop that has created the response; nil for this one.
    mutating func promiseWasFulfilled(_ response: HTTPResponse, onLoop index: Int? = nil) -> PromiseAction {
        guard case .awaitingResponse = phase else { return .discard }
        if let index, case .stream = response.body {
            // A stream is confined to the loop that created it.
            phase = .leaving(toLoop: index, .response(.response(response)))
        } else {
            phase = .responding(.response(response))
        }
        return progress.isRunning ? .proceed : .schedule
    }

    enum BodyStartAction {
        case start
        /// The response has no content: stop the stream.
        case discard
        /// The client may not exist any more: stop the stream, and end the content after the head.
        case end
    }

    /// Records that the head of a response was written whose content is sent in parts.
    mutating func bodyBegan(_ body: StreamedBody) -> BodyStartAction {
        if body.framing == .none { return .discard }
        if body.sendsEvents, readiness.contains(.peerFinished) { return .end }
        phase = .streaming(body)
        isBodyReady = true
        return .start
    }

    /// Records that the body stream has content. Returns whether a step must be started at the end of the round.
    mutating func bodyBecameReady() -> Bool {
        guard case .streaming = phase else { return false }
        isBodyReady = true
        return !progress.isRunning
    }

    /// Records that a part of the content is about to be read. Returns the body, or `nil` if none is being sent.
    mutating func bodyReadBegan() -> StreamedBody? {
        guard case .streaming(let body) = phase else { return nil }
        // Cleared before the read, because the stream may report more content while it is read.
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

    /// Records that a response has been written completely.
    mutating func responseEnded(_ exchange: HTTP1Exchange, isDraining: Bool) {
        // A stream may have begun before the loop was drained.
        phase = exchange.keepsAlive && !isDraining ? .reading(isFirst: false) : .lingering(Lingering())
        isBodyReady = false
    }
}

extension ConnectionState {
    /// The state of a lingering connection; `nil` in any other phase.
    @inline(__always)
    var lingering: Lingering? {
        if case .lingering(let lingering) = phase { lingering } else { nil }
    }

    /// Records that the socket has accepted all output of a lingering connection. Returns whether the sending side must
    /// be closed now.
    mutating func lingeringOutputWasSent() -> Bool {
        guard case .lingering(var lingering) = phase else { return false }
        defer { phase = .lingering(lingering) }
        return lingering.outputWasSent()
    }

    /// Records the result of a read of a lingering connection, whose bytes are discarded.
    mutating func lingeringInputWasRead(_ reading: SocketReading) -> ReadAction {
        guard case .lingering(var lingering) = phase else { return .pause }
        switch reading {
        case .received(let count, _):
            defer { phase = .lingering(lingering) }
            return lingering.discarded(count) ? .proceed : .close(abruptly: true)
        case .wouldBlock:
            readiness.remove(.canRead)
            return .pause
        case .ended, .failed: return .close(abruptly: false)
        }
    }

    enum CloseAction {
        case none
        /// - Parameters:
        ///   - canSend: Whether the sending side is still open.
        ///   - body: The stream whose content was not sent completely.
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

// Requests and responses that belong to another loop.
extension ConnectionState {
    enum LeaveAction {
        case none
        /// Move to the loop.
        case move(toLoop: Int)
        /// Stay, and lend the connection to the loop for the request.
        case lend(HTTP1Message, toLoop: Int)
    }

    /// Returns the action of a connection whose request or response belongs to another loop.
    ///
    /// - Parameter canSend: Whether the socket has accepted all bytes. Unsent responses must be sent before the
    ///   response that the other loop would write, and the kernel notifies this loop when the socket accepts them.
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

    /// Records a response or promise that the borrowing loop has created but does not handle itself.
    mutating func resume(with response: HTTPAnswer) { phase = .responding(response) }

    /// Records that the borrowing loop has promised the response.
    mutating func responseWasPromised() { phase = .awaitingResponse }

    /// Records that the connection has left its loop's epoll set and moves to another one.
    mutating func leftEpollSet() {
        // The other epoll set reports the readiness of the socket again.
        readiness.remove(.canRead)
    }
}
