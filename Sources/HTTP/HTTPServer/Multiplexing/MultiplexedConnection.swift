import CLinux
import HTTP2
import HTTPModel
import Log

/// A client's HTTP/2 connection with many concurrent requests. Each request is processed on the loop that it belongs
/// to, and this connection writes all responses. Confined to its loop, which never changes.
///
/// It begins as a ``Connection``, which detects the protocol and passes its socket on. Performs the actions that
/// ``MultiplexedState`` and ``ConnectionDeadlines`` return, and reports events to them.
final class MultiplexedConnection: EpollHandler, HTTP2ConnectionOwner {
    // Unowned and unsafe, as in `Connection`: a loop closes its connections before its server releases it, and a closed
    // connection accesses no loop.
    unowned(unsafe) let serverLoop: ServerLoop
    let engine: HTTP2Connection
    // Unchecked exclusivity, as in `Connection`: each step accesses these properties, and a checked access calls the
    // runtime twice.
    @exclusivity(unchecked) private(set) var transport: SocketTransport
    @exclusivity(unchecked) private(set) var state = MultiplexedState()
    @exclusivity(unchecked) private var deadlines = ConnectionDeadlines()
    private var clientLease: ClientLease?
    /// Bytes that were read together and that the engine has not processed yet.
    private var unread: [UInt8] = []
    private var unreadStart = 0
    /// The promised responses of streams that have to know when the client leaves.
    private var watched: [HTTP2StreamID: WatchedPromise] = [:]

    /// The maximum number of rounds of reading and writing in one step.
    private static let roundsPerStep = 8
    /// The number of rounds of a step for a single exchange: reading and responding, and checking that nothing follows.
    private static let singleExchange = 2
    /// The number of bytes that are written before they are passed to the socket.
    private static let writeBytes = 64 << 10
    /// The number of frames that the engine processes before the server responds to the requests in them.
    private static let framesPerRead = 16

    /// Takes over a socket that is in no epoll set. Its connection has already been counted.
    init(
        transport: SocketTransport, peer: HTTPPeer, clientLease: ClientLease?, serverLoop: ServerLoop
    ) {
        self.serverLoop = serverLoop
        self.transport = transport
        self.clientLease = clientLease
        engine = HTTP2Connection(
            sharing: serverLoop.http2, scheme: transport.isSecure ? "https" : "http", peer: peer,
            now: serverLoop.loop.now,
            jitter: Double.random(in: 0...1))
        super.init(descriptor: transport.descriptor)
        engine.owner = self
    }

    /// Starts with the bytes that were read before the upgrade.
    func begin(with bytes: [UInt8]) {
        transport.unsent.resetWatching()
        guard serverLoop.loop.add(self, for: transport.watchedEvents) >= 0 else {
            _ = state.close()
            granary_close(descriptor)
            return serverLoop.gauge.leave()
        }
        unread = bytes
        if !bytes.isEmpty { takeUnread() }
        if serverLoop.isDraining { engine.drain(now: serverLoop.loop.now) }
        step()
    }

    // Events

    override func becameReady(_ readiness: UInt32) {
        switch state.socketBecameReady(SocketEvents(rawValue: readiness), isMarked: isMarked) {
        case .none: break
        case .step: step()
        case .abort: close(abruptly: true)
        }
    }

    override func roundEnded() { step() }

    override func timePassed(now: UInt64) {
        // A response may have been created since the last step, so that the connection no longer waits for it.
        deadlines.update(to: wait, at: now)
        switch deadlines.timePassed(now: now, serverLoop.times, deadlineConditions) {
        case .none, .wait, .wake: break
        case .abort: return close(abruptly: true)
        // Acknowledgements are not checked: see `deadlineConditions`.
        case .close, .checkProgress, .refuse: return close()
        }
        engine.timePassed(now: serverLoop.loop.now)
        step()
    }

    func connectionHasOutput() {
        // A running step writes all available output before it ends.
        if !state.progress.isRunning { serverLoop.loop.mark(self) }
    }

    override func drain() {
        engine.drain(now: serverLoop.loop.now)
        // Not a step, because this may be called inside a step, by a response that ends the server.
        connectionHasOutput()
    }

    override func cutOff() { close(abruptly: true) }

    /// Closes the socket and releases the resources of the connection.
    ///
    /// - Parameter abruptly: Whether the kernel discards unsent bytes and resets the peer.
    func close(abruptly: Bool = false) {
        guard state.close() else { return }
        serverLoop.loop.remove(self)
        transport.close(abruptly: abruptly)
        unread = []
        clientLease = nil
        engine.close()
        serverLoop.gauge.leave()
        clientLeft()
    }
}

// Promised responses whose client may leave.
extension MultiplexedConnection {
    /// Lets the promised response of a stream know when the client leaves, or that it has left.
    func watch(_ promise: WatchedPromise, of stream: HTTP2StreamID) {
        // A response of another loop may arrive before this. A promise that it has fulfilled ignores that the client has left.
        guard !state.isClosed, !state.readiness.contains(.inputEnded), engine.awaitsResponse(stream) else {
            return promise.clientLeft()
        }
        watched[stream] = promise
    }

    /// The response of a stream is known.
    func forget(_ stream: HTTP2StreamID) {
        if !watched.isEmpty { watched[stream] = nil }
    }

    /// Records that the client has cancelled a request.
    func clientLeft(_ stream: HTTP2StreamID) { watched.removeValue(forKey: stream)?.clientLeft() }

    /// Records that the client has closed its sending side, or the connection was closed.
    private func clientLeft() {
        let promises = watched.values
        watched = [:]
        for promise in promises { promise.clientLeft() }
    }
}

extension MultiplexedConnection {
    /// Performs as much work as possible.
    private func step() {
        guard state.stepBegan() else { return }
        var budget = StepBudget(
            pieces: MultiplexedConnection.roundsPerStep, unmeasured: MultiplexedConnection.singleExchange)
        // Retained once for all rounds.
        let loop = serverLoop.loop
        while !state.isClosed {
            let hasRead = hasUnanswered || read()
            let isWithinBudget = answerAll(&budget, on: loop) && budget.take(on: loop)
            // Responses to requests that were read together are sent together, unless the rest has to wait.
            let readsOn = hasRead && isWithinBudget && !unread.isEmpty
            let hasWritten = !readsOn && write()
            guard hasRead || hasWritten else { break }
            if !isWithinBudget {
                state.budgetWasExhausted()
                break
            }
        }
        let action = state.stepEnded(
            canSend: transport.unsent.isEmpty, isDrained: engine.streamCount == 0 && !engine.hasOutput,
            isFinished: engine.isFinished)
        switch action {
        case .none: break
        case .close:
            sendClosure()
            close()
        case .linger:
            linger()
            if !state.isClosed { settle() }
        case .wait: settle()
        }
    }

    /// Determines when the connection continues.
    private func settle() {
        switch state.continuation(canSend: transport.unsent.isEmpty, hasOutput: engine.hasOutput) {
        case .none: break
        case .mark: serverLoop.loop.mark(self)
        case .yield: serverLoop.loop.yield(self)
        }
        deadlines.update(to: wait, at: serverLoop.loop.nanoseconds)
        if let deadline = deadlines.deadline(serverLoop.times, deadlineConditions) {
            serverLoop.loop.wake(self, at: deadline)
        }
        if let deadline = engine.deadline { serverLoop.loop.wake(self, at: deadline.nanoseconds) }
    }

    private var wait: ConnectionDeadlines.Wait {
        state.wait(canSend: transport.unsent.isEmpty, awaitsContent: engine.awaitsContent)
    }

    // Only the write timeout applies, as for a stream of events over HTTP/1.1, because an HTTP/2 connection may carry
    // such a stream among other responses.
    private var deadlineConditions: ConnectionDeadlines.Conditions { serverLoop.deadlineConditions(sendsEvents: true) }

    /// Closes the sending side and continues reading for a limited time, so that the peer receives the GOAWAY frame
    /// instead of a reset.
    private func linger() {
        if let ending = engine.ending {
            serverLoop.log.limited(.info, "an HTTP/2 connection was ended", ["reason": .text(ending.description)])
        }
        state.lingeringBegan()
        unread = []
        sendClosure()
        guard !state.isClosed else { return }
        if transport.unsent.isEmpty { finishSending() }
        if read() { serverLoop.loop.mark(self) }
    }

    private func finishSending() {
        if state.outputWasSent() { transport.finishSending() }
    }

    /// Sends the TLS closure alert (`close_notify`).
    private func sendClosure() {
        guard let secure = transport.secure else { return }
        secure.close()
        var output = serverLoop.output.take()
        // Whether TLS accepts it or not, the connection ends.
        if secure.seal(&output, on: serverLoop) { send(&output) }
        serverLoop.output.recycle(&output)
    }
}

// Moves bytes between the socket and the engine.
extension MultiplexedConnection {
    /// Processes a part of the unread bytes, or reads once. Returns whether there were bytes.
    ///
    /// The requests in them wait in the engine until they are answered, so it must have answered those before.
    private func read() -> Bool {
        // While a peer does not read its responses, nothing is read from it.
        guard transport.unsent.isEmpty, !state.isClosed else { return false }
        if !unread.isEmpty {
            takeUnread()
            return true
        }
        guard state.canRead else { return false }
        let reading = transport.read(into: serverLoop.input)
        switch state.inputWasRead(reading, peerHasFinished: transport.secure?.hasPeerFinished ?? false) {
        case .process:
            if case .received(let count, _) = reading { take(count) }
            return true
        case .discard: return true
        case .pause: return false
        case .endInput:
            engine.clientFinished()
            clientLeft()
        case .close(let abruptly): close(abruptly: abruptly)
        }
        return false
    }

    /// Whether requests that the last step had no time for can be answered now.
    private var hasUnanswered: Bool { transport.unsent.isEmpty && engine.hasEvents }

    private func take(_ count: Int) {
        let bytes = UnsafeRawBufferPointer(rebasing: serverLoop.input[..<count])
        let taken = engine.receive(
            bytes, now: serverLoop.loop.now, frameLimit: MultiplexedConnection.framesPerRead)
        // Another connection uses the loop's buffer next.
        if taken < count { unread = Array(UnsafeRawBufferPointer(rebasing: bytes[taken...])) }
    }

    private func takeUnread() {
        let taken = unread.withUnsafeBytes { bytes in
            engine.receive(
                UnsafeRawBufferPointer(rebasing: bytes[unreadStart...]), now: serverLoop.loop.now,
                frameLimit: MultiplexedConnection.framesPerRead)
        }
        unreadStart += taken
        guard unreadStart == unread.count else { return }
        unread = []
        unreadStart = 0
    }

    /// Sends the available output. Returns whether there may be more.
    private func write() -> Bool {
        guard !state.isClosed else { return false }
        if !transport.unsent.isEmpty { return sendUnsent() }
        guard engine.hasOutput || transport.secure?.hasOutput == true else { return false }
        var output = serverLoop.output.take()
        engine.write(into: &output, limit: MultiplexedConnection.writeBytes)
        defer { serverLoop.output.recycle(&output) }
        guard transport.seal(&output, on: serverLoop) else {
            close(abruptly: true)
            return false
        }
        guard !output.isEmpty else { return false }
        send(&output)
        return transport.unsent.isEmpty
    }

    private func send(_ output: inout [UInt8]) {
        guard !output.isEmpty else { return }
        // For a client that has closed its side, a successful write shows that it still exists, so the wait for content
        // starts again.
        deadlines.restart()
        switch output.withUnsafeBytes({ transport.unsent.send($0, to: descriptor) }) {
        case .failed: close(abruptly: true)
        case .blocked, .advanced: transport.watchWriting(for: self, on: serverLoop.loop)
        case .sent, .drained: output.removeAll(keepingCapacity: true)
        }
    }

    private func sendUnsent() -> Bool {
        switch transport.unsent.sendRest(to: descriptor) {
        case .blocked: return false
        case .failed:
            close(abruptly: true)
            return false
        case .advanced:
            // The peer has read something, so its time starts again.
            deadlines.restart()
            return false
        case .sent, .drained:
            deadlines.restart()
            finishSending()
            return true
        }
    }
}
