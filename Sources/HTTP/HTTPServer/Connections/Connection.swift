import HTTP1
import HTTPModel

/// A client's HTTP/1.1 connection. Performs the actions that ``ConnectionState`` and ``ConnectionDeadlines`` return,
/// and reports events to them. ``RequestReader`` reads, ``SocketTransport`` writes, and ``ConnectionHandOff`` moves and
/// lends the connection.
///
/// Confined to its loop, which changes only between two requests. A connection has no buffers of its own. It uses the
/// input and output buffers of its loop.
final class Connection: EpollHandler, HTTPBodyConsumer {
    // Unchecked exclusivity: each request accesses every stored property, and each dynamic check costs two calls of the
    // runtime. Accesses are exclusive because the connection is confined to one loop at a time.

    // Unowned and unsafe: each use of a counted reference would retain it. A loop closes its connections before its
    // server releases it, and a connection in transit accesses no loop until it has arrived.
    @exclusivity(unchecked) unowned(unsafe) var serverLoop: ServerLoop
    @exclusivity(unchecked) var state = ConnectionState()
    @exclusivity(unchecked) var deadlines = ConnectionDeadlines()
    @exclusivity(unchecked) var reader: RequestReader
    @exclusivity(unchecked) var exchange = HTTP1Exchange()
    @exclusivity(unchecked) var transport: SocketTransport
    @exclusivity(unchecked) var clientLease: ClientLease?
    let ownership = ConnectionOwnership()
    @exclusivity(unchecked) private var madeReference: ConnectionReference?

    init(transport: SocketTransport, peer: HTTPPeer, clientLease: ClientLease?, serverLoop: ServerLoop) {
        self.serverLoop = serverLoop
        self.clientLease = clientLease
        self.transport = transport
        reader = RequestReader(peer: peer, serverLoop.configuration)
        super.init(descriptor: transport.descriptor)
    }

    /// The reference of promises, made for the first one.
    var reference: ConnectionReference {
        if let madeReference { return madeReference }
        let reference = ConnectionReference(self)
        madeReference = reference
        return reference
    }

    deinit {
        madeReference?.connection = nil
        madeReference?.clientLeft()
        // A connection in transit to a loop that has stopped is dropped with that loop's mailbox.
        if !state.isClosed { transport.close(abruptly: false) }
    }

    override func becameReady(_ readiness: UInt32) {
        let events = SocketEvents(rawValue: readiness)
        guard ownership.claim() else { return ownership.recordMissedEvents(events) }
        switch state.socketBecameReady(events) {
        case .abort: close(abruptly: true)
        case .close: close()
        case .step:
            if !events.isDisjoint(with: [.peerFinished, .hungUp]) { madeReference?.clientLeft() }
            // A connection that has used up its budget continues only in its next step, even if events arrive earlier.
            if isMarked, state.progress.yields { return }
            // A handshake takes as much time as many requests, so it runs after them.
            if transport.isHandshaking { return serverLoop.loop.yield(self) }
            step()
        }
    }

    override func roundEnded() {
        if ownership.claim() { step() }
    }

    override func timePassed(now: UInt64) {
        // The peer cannot be late while another loop processes its request.
        guard ownership.isWithOwner() else { return serverLoop.loop.wake(self, at: now + serverLoop.times.idle) }
        var action = deadlines.timePassed(now: now, serverLoop.times, deadlineConditions(on: serverLoop))
        if action == .checkProgress {
            action = deadlines.progressWasChecked(
                PeerProgress(of: descriptor), hasUnsentBytes: !transport.unsent.isEmpty, now: now, serverLoop.times)
        }
        switch action {
        case .none, .checkProgress: break
        case .wait: updateDeadline()
        case .wake(let time): serverLoop.loop.wake(self, at: time)
        case .close: close()
        case .abort: close(abruptly: true)
        case .refuse:
            refuse(.requestTimeout)
            step()
        }
    }

    func bodyIsReady() {
        if state.bodyBecameReady() { serverLoop.loop.mark(self) }
    }

    override func drain() {
        guard ownership.claim() else { return }
        switch state.drainBegan(isIdle: reader.isIdle && transport.unsent.isEmpty) {
        case .none: break
        case .awaitFirstRequest: updateDeadline()
        case .readOnce:
            state.inputMayHaveArrived()
            step()
            guard case .readOnce = state.drainBegan(isIdle: reader.isIdle && transport.unsent.isEmpty) else { return }
            if serverLoop.restEnd > serverLoop.loop.nanoseconds { updateDeadline() } else { close() }
        }
    }

    override func cutOff() {
        // A lent connection is closed when the other loop returns it.
        if ownership.claim() { close(abruptly: true) }
    }

    /// Sends the bytes that were posted with ``post(_:)``. Called by the loop's outbox.
    func sendPosted(_ bytes: UnsafeRawBufferPointer) {
        if state.isClosed { return }
        settle(transport.sendPosted(bytes))
        if !transport.unsent.isEmpty { updateDeadline() }
    }

    /// Updates the wait of the connection and its deadline.
    func updateDeadline() { updateDeadline(on: serverLoop) }

    /// Updates the wait of the connection and its deadline on its loop, which the caller has retained.
    func updateDeadline(on serverLoop: ServerLoop) {
        deadlines.update(to: state.wait(reader.circumstances(over: transport)), at: serverLoop.loop.nanoseconds)
        if let deadline = deadlines.deadline(serverLoop.times, deadlineConditions(on: serverLoop)) {
            serverLoop.loop.wake(self, at: deadline)
        }
    }

    private func deadlineConditions(on serverLoop: ServerLoop) -> ConnectionDeadlines.Conditions {
        serverLoop.deadlineConditions(bodyCount: reader.bodyCount, sendsEvents: state.sendsEvents)
    }

    /// Closes the socket and releases the resources of the connection.
    ///
    /// - Parameter abruptly: Whether the kernel discards unsent bytes and resets the peer.
    func close(abruptly: Bool = false) {
        if transport.isPosted, !abruptly { serverLoop.outbox.send() }
        guard case .close(let canSend, let body) = state.close() else { return }
        serverLoop.loop.remove(self)
        transport.close(abruptly: abruptly, canSend: canSend, on: serverLoop)
        reader.discard()
        clientLease = nil
        body?.stop()
        madeReference?.clientLeft()
        serverLoop.gauge.leave()
    }
}
