import CLinux
import HTTP1
import HTTPModel
import Locking
import TLS

/// A client's HTTP/1.1 connection. Performs the actions that ``ConnectionState`` and ``ConnectionDeadlines`` return,
/// and reports events to them.
///
/// Confined to its loop, which changes only between two requests. A connection has no buffers of its own. It uses the
/// input and output buffers of its loop.
final class Connection: EpollHandler, HTTPBodyConsumer {
    // Unchecked exclusivity: each request accesses every stored property, and each dynamic check costs two calls of the
    // runtime. Accesses are exclusive because the connection is confined to one loop at a time.

    // Unowned and unsafe: each use of a counted reference would retain it. A loop closes its connections before its
    // server releases it, and a connection in transit accesses no loop until it has arrived.
    @exclusivity(unchecked) unowned(unsafe) var worker: ServerLoop
    @exclusivity(unchecked) var state = ConnectionState()
    @exclusivity(unchecked) var deadlines = ConnectionDeadlines()
    @exclusivity(unchecked) var parser: HTTP1RequestParser
    @exclusivity(unchecked) var exchange = HTTP1Exchange()
    @exclusivity(unchecked) var input = ConnectionInput()
    @exclusivity(unchecked) var transport: SocketTransport
    /// Whether the loop's outbox contains bytes of this connection.
    @exclusivity(unchecked) var isPosted = false
    @exclusivity(unchecked) var peer: HTTPPeer
    @exclusivity(unchecked) var clientLease: ClientLease?
    let ownership = ConnectionOwnership()

    static let watched = granary_readable | granary_peer_finished | granary_urgent | granary_edge_triggered
    /// The maximum number of pieces of work in one step, such as requests to respond to or parts of a stream to read.
    private static let piecesPerStep = 32
    /// The pieces of work in a step with a single request: reading it, responding to it, and checking that no other
    /// follows.
    private static let singleRequest = 3

    private init(descriptor: Int32, peer: HTTPPeer, tls: TLSContext?, clientLease: ClientLease?, worker: ServerLoop) {
        self.worker = worker
        self.peer = peer
        self.clientLease = clientLease
        transport = SocketTransport(descriptor: descriptor, secure: tls.map(SecureChannel.init))
        parser = HTTP1RequestParser(limits: worker.configuration.limits)
        super.init(descriptor: descriptor)
    }

    deinit {
        // A connection in transit to a loop that has stopped is dropped with that loop's mailbox.
        if !state.isClosed { granary_close(descriptor) }
    }

    /// Takes over an accepted socket. A connection beyond the server's limit gets 503, except on a listener for
    /// operators, who must be able to examine a full server.
    static func open(
        descriptor: Int32, peer: HTTPPeer, tls: TLSContext?, clientLease: ClientLease?, worker: ServerLoop
    ) {
        let connection = Connection(
            descriptor: descriptor, peer: peer, tls: tls, clientLease: clientLease, worker: worker)
        let isWithinLimit = worker.gauge.enter() || peer.role == .admin
        guard connection.register() else { return }
        if isWithinLimit { connection.updateDeadline() } else { connection.refuseAndClose(.serverFull) }
    }

    /// Enters the loop's epoll set; closes the socket and returns `false` if the kernel cannot add it.
    func register() -> Bool {
        if worker.loop.add(self, for: transport.watchedEvents) >= 0 { return true }
        _ = state.close()
        granary_close(descriptor)
        worker.gauge.leave()
        return false
    }

    // Events

    override func becameReady(_ readiness: UInt32) {
        let events = SocketEvents(rawValue: readiness)
        guard ownership.claim() else { return ownership.miss(events) }
        switch state.socketBecameReady(events) {
        case .abort: close(abruptly: true)
        case .close: close()
        case .step:
            // A connection that has used up its budget continues only in its next step, even if events arrive earlier.
            if isMarked, state.progress.yields { return }
            // A handshake takes as much time as many requests, so it runs after them.
            if transport.isHandshaking { return worker.loop.yield(self) }
            step()
        }
    }

    override func roundEnded() {
        if ownership.claim() { step() }
    }

    override func timePassed(now: UInt64) {
        // The peer cannot be late while another loop processes its request.
        guard ownership.isWithOwner() else { return worker.loop.wake(self, at: now + worker.times.idle) }
        switch deadlines.timePassed(now: now, worker.times, deadlineConditions) {
        case .none: break
        case .wake(let time): worker.loop.wake(self, at: time)
        case .close: close()
        case .abort: close(abruptly: true)
        case .refuse: refuseAndClose(.requestTimeout)
        case .checkProgress:
            let progress = PeerProgress(of: descriptor)
            switch deadlines.progressWasChecked(
                progress, hasUnsentBytes: !transport.unsent.isEmpty, now: now, worker.times)
            {
            case .wait: updateDeadline()
            case .close: close()
            case .abort: close(abruptly: true)
            }
        }
    }

    func bodyIsReady() {
        if state.bodyBecameReady() { worker.loop.mark(self) }
    }

    override func drain() {
        guard ownership.claim() else { return }
        switch state.drainBegan(isIdle: isIdle) {
        case .none: break
        case .awaitFirstRequest: updateDeadline()
        case .readOnce:
            state.inputMayHaveArrived()
            step()
            guard case .readOnce = state.drainBegan(isIdle: isIdle) else { return }
            if worker.restEnd > worker.loop.nanoseconds { updateDeadline() } else { close() }
        }
    }

    private var isIdle: Bool { parser.phase == .idle && input.isEmpty && transport.unsent.isEmpty }

    override func cutOff() {
        // A lent connection is closed when the other loop returns it.
        if ownership.claim() { close(abruptly: true) }
    }

    // Steps

    /// Performs as much work as possible, then sends the written bytes with one system call.
    func step() {
        state.stepBegan()
        var output = worker.output.take()
        var budget = StepBudget(pieces: Connection.piecesPerStep, unmeasured: Connection.singleRequest)
        while proceed(&output, &budget) {}
        input.store(from: worker.input)
        post(&output)
        worker.output.recycle(&output)
        switch state.stepEnded(canSend: transport.unsent.isEmpty) {
        case .none: break
        case .upgrade: upgrade()
        case .leave: leave()
        case .wait: updateDeadline()
        case .yield:
            worker.loop.yield(self)
            updateDeadline()
        }
    }

    /// Performs one piece of work. Returns whether there may be more to do.
    private func proceed(_ output: inout [UInt8], _ budget: inout StepBudget) -> Bool {
        switch state.next(canSend: transport.unsent.isEmpty) {
        case .readRequest: return spend(&budget) && readRequest(&output)
        case .readBody: return spend(&budget) && readBody(&output)
        case .linger: return linger(&output)
        case .pause: return false
        case .askResponder:
            if let message = state.takeRequest() { ask(message, &output) }
        case .respond:
            switch state.takeResponse() {
            case .ready(let response): respond(response, &output)
            case .promised(let promise): awaitResponse(of: promise)
            case nil: break
            }
        }
        return true
    }

    private func spend(_ budget: inout StepBudget) -> Bool {
        if budget.take(on: worker.loop) { return true }
        state.budgetWasExhausted()
        return false
    }

    /// Updates the wait of the connection and its deadline.
    func updateDeadline() {
        let circumstances = ConnectionState.Circumstances(
            isHandshaking: transport.isHandshaking, parserPhase: parser.phase, hasInput: !input.isEmpty,
            hasUnsentBytes: !transport.unsent.isEmpty)
        deadlines.update(to: state.wait(circumstances), at: worker.loop.nanoseconds)
        if let deadline = deadlines.deadline(worker.times, deadlineConditions) { worker.loop.wake(self, at: deadline) }
    }

    private var deadlineConditions: ConnectionDeadlines.Conditions {
        worker.deadlineConditions(bodyCount: parser.bodyCount, sendsEvents: state.sendsEvents)
    }

    // The end

    /// Sends the last response, closes the sending side, and discards all further bytes of the peer.
    private func linger(_ output: inout [UInt8]) -> Bool {
        // The `close_notify` goes into the same packet as the response before it.
        if state.lingering?.hasFinishedSending == false { transport.secure?.close() }
        flush(&output)
        guard state.lingering != nil, transport.unsent.isEmpty else { return false }
        if state.lingeringOutputWasSent() {
            input.discard()
            _ = granary_finish_sending(descriptor)
        }
        guard state.readiness.contains(.canRead) else { return false }
        // Reads the bytes without decrypting them, because they are discarded.
        switch SocketReading.receive(from: descriptor, into: worker.input) {
        case .received(let count, _):
            if !state.lingeringInputWasDiscarded(count) { close(abruptly: true) }
            return true
        case .wouldBlock: state.inputWasBlocked()
        case .ended, .failed: close()
        }
        return false
    }

    /// Responds with an error outside of a step, after which the connection cannot continue.
    private func refuseAndClose(_ problem: ProblemDetails) {
        var output = worker.output.take()
        refuse(problem, &output)
        flush(&output)
        worker.output.recycle(&output)
        if !state.isClosed { step() }
    }

    /// Closes the socket and releases the resources of the connection.
    ///
    /// - Parameter abruptly: Whether the kernel discards unsent bytes and resets the peer.
    func close(abruptly: Bool = false) {
        if isPosted, !abruptly { worker.outbox.send() }
        guard case .close(let canSend, let body) = state.close() else { return }
        worker.loop.remove(self)
        if canSend, !abruptly, transport.unsent.isEmpty {
            transport.secure?.sendClosure(to: descriptor, on: worker)
        }
        transport.close(abruptly: abruptly)
        input.discard()
        clientLease = nil
        body?.stop()
        worker.gauge.leave()
    }
}
