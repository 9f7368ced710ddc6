import HTTP1
import HTTPModel
import Locking

// Other loops: a request is forwarded to the loop that it belongs to, or the connection is lent to that loop for one
// request, or it moves there permanently.
extension Connection {
    /// Forwards a request to the loop that it belongs to. Responds immediately if that loop's work may run on this
    /// thread.
    func forward(_ message: HTTP1Message, to index: Int, _ output: inout [UInt8]) {
        let target = worker.siblings[index]
        // With its first request, a connection always moves, because its next requests are probably for the same
        // session.
        guard !state.awaitsFirstRequest, let responder = target.responder,
            let answer = target.loop.runInline(from: worker.loop, { responder.respond(to: message.request) })
        else { return state.requestArrived(message, forLoop: index) }
        switch answer {
        case .deferred(let promise): state.responseArrived(.promised(promise), onLoop: index)
        case .response(let response):
            // A stream is confined to the loop that created it.
            if case .stream = response.body { return state.responseArrived(.ready(response), onLoop: index) }
            state.requestArrived()
            respond(response, &output)
        }
    }

    /// Moves the connection to the loop that the request or its response belongs to, or lends it to that loop.
    func leave() {
        switch state.leave(canSend: transport.unsent.isEmpty) {
        case .none: break
        case .move(let index): move(to: worker.siblings[index])
        case .lend(let message, let index):
            let (target, now) = (worker.siblings[index], worker.loop.nanoseconds)
            // The connection becomes idle as soon as the borrower has written the response, and the owner is not
            // notified of that.
            deadlines.begin(.nextRequest, at: now)
            worker.loop.wake(self, at: now + min(worker.times.idle, worker.times.progressCheck))
            let isRecalled = !input.isEmpty || state.readiness.contains(.canRead)
            let borrowed = UnsafeTransfer(BorrowedConnection(connection: self, request: message))
            // From here on, this loop must not access the connection any more.
            ownership.lend(isRecalled: isRecalled)
            target.loop.execute { borrowed.value.answer(on: target) }
        }
    }

    /// Continues on the owner's loop after the connection has been returned.
    func wasReturned(_ action: BorrowedConnection.ReturnAction) {
        ownership.takeBack()
        let missed = ownership.takeMissedEvents()
        // The loop may have closed all connections in the meantime.
        guard slot >= 0 else { return }
        switch action {
        case .abort: close(abruptly: true)
        case .move(let target): move(to: target)
        case .resume:
            if !transport.unsent.isEmpty { watchWriting() }
            becameReady(missed.rawValue)
            if worker.isDraining { drain() }
        }
    }

    private func move(to target: ServerLoop) {
        // Otherwise both loops would access the mark.
        worker.loop.unmark(self)
        worker.loop.remove(self)
        state.leftEpollSet()
        deadlines.restart()
        let connection = UnsafeTransfer(self)
        target.loop.execute {
            connection.value.worker = target
            if connection.value.register() { connection.value.step() }
        }
    }

    /// Passes the socket to an HTTP/2 connection.
    func upgrade() {
        guard let bytes = state.takeUpgrade() else { return }
        worker.loop.remove(self)
        let successor = MultiplexedConnection(
            transport: transport, peer: peer, clientLease: clientLease, worker: worker)
        transport.unsent.removeAll()
        clientLease = nil
        successor.begin(with: bytes)
    }
}
