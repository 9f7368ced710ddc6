import HTTP1
import HTTPModel
import Locking

/// The hand-off of a connection by the loop that owns it.
///
/// A request is forwarded to the loop that it belongs to, or the connection is lent to that loop for one request (see
/// ``BorrowedConnection``), or it moves there permanently. If the client uses HTTP/2, its socket is passed to a
/// ``MultiplexedConnection``.
struct ConnectionHandOff {
    let connection: Connection

    /// Forwards a request to the loop that it belongs to. Responds immediately if that loop's work may run on this thread
    /// and its response may be sent from here. Otherwise, the connection leaves at the end of the step.
    func forward(_ message: HTTP1Message, to index: Int, _ output: inout [UInt8]) {
        let target = connection.serverLoop.siblings[index]
        // With its first request, a connection always moves, because its next requests are probably for the same
        // session.
        guard !connection.state.awaitsFirstRequest, let responder = target.responder else {
            return connection.state.requestArrived(message, forLoop: index)
        }
        let owner = connection.serverLoop
        connection.state.requestArrived()
        let answer = target.loop.runInline(from: owner.loop) {
            let answer = responder.respond(to: message.request)
            if case .deferred(let promise) = answer {
                Connection.awaitResponse(promise, of: target, for: connection.reference, on: owner)
            }
            return answer
        }
        switch answer {
        case .response(let response):
            // A stream is confined to the loop that created it.
            if case .stream = response.body {
                return connection.state.responseArrived(.response(response), onLoop: index)
            }
            connection.respond(response, &output, on: owner)
        case .deferred: break
        case nil: connection.state.requestArrived(message, forLoop: index)
        }
    }

    /// Moves the connection to the loop that the request or its response belongs to, or lends it to that loop.
    func leave() {
        switch connection.state.leave(canSend: connection.transport.unsent.isEmpty) {
        case .none: break
        case .move(let index): move(to: connection.serverLoop.siblings[index])
        case .lend(let message, let index): lend(for: message, to: connection.serverLoop.siblings[index])
        }
    }

    private func lend(for message: HTTP1Message, to borrower: ServerLoop) {
        let (owner, now) = (connection.serverLoop, connection.serverLoop.loop.nanoseconds)
        // The connection becomes idle as soon as the borrower has written the response, and the owner is not notified
        // of that.
        connection.deadlines.begin(.nextRequest, at: now)
        owner.loop.wake(connection, at: now + min(owner.times.idle, owner.times.progressCheck))
        let isRecalled = connection.reader.hasInput || connection.state.readiness.contains(.canRead)
        let borrowed = UnsafeTransfer(BorrowedConnection(connection: connection, request: message))
        // From here on, this loop must not access the connection any more.
        connection.ownership.lend(isRecalled: isRecalled)
        borrower.loop.execute { borrowed.value.answer(on: borrower) }
    }

    /// Continues after the borrower has returned the connection.
    func takeBack(_ action: BorrowedConnection.ReturnAction) {
        connection.ownership.takeBack()
        let missed = connection.ownership.takeMissedEvents()
        // The loop may have closed all connections in the meantime.
        guard connection.slot >= 0 else { return }
        switch action {
        case .abort: connection.close(abruptly: true)
        case .move(let target): move(to: target)
        case .resume:
            if !connection.transport.unsent.isEmpty {
                connection.transport.watchWriting(for: connection, on: connection.serverLoop.loop)
            }
            connection.becameReady(missed.rawValue)
            if connection.serverLoop.isDraining { connection.drain() }
        }
    }

    private func move(to target: ServerLoop) {
        // Otherwise both loops would access the mark.
        connection.serverLoop.loop.unmark(connection)
        connection.serverLoop.loop.remove(connection)
        connection.state.leftEpollSet()
        connection.deadlines.restart()
        let moved = UnsafeTransfer(connection)
        target.loop.execute {
            moved.value.serverLoop = target
            if target.register(moved.value) { moved.value.step() }
        }
    }

    /// Passes the socket to an HTTP/2 connection.
    func upgrade() {
        guard let bytes = connection.state.takeUpgrade() else { return }
        connection.serverLoop.loop.remove(connection)
        let successor = MultiplexedConnection(
            transport: connection.transport, peer: connection.reader.peer, clientLease: connection.clientLease,
            serverLoop: connection.serverLoop)
        connection.transport.unsent.removeAll()
        connection.clientLease = nil
        successor.begin(with: bytes)
    }
}
