import HTTP1
import HTTPModel
import Locking

// Other loops: a request is forwarded to the loop that it belongs to, the connection is lent to that loop for one request, or it
// moves there permanently.
extension Connection {
    /// Has a request of another loop answered: right here if that loop's work may be done on this thread.
    func forward(_ message: HTTP1Message, to index: Int, _ output: inout [UInt8]) {
        let target = worker.siblings[index]
        // With its first request a connection moves in any case, as it will probably stay with that session.
        guard !state.awaitsFirstRequest, let responder = target.responder,
            let answer = target.loop.runInline(from: worker.loop, { responder.respond(to: message.request) })
        else { return state.requestArrived(message, forLoop: index) }
        switch answer {
        case .deferred(let promise): state.responseArrived(.promised(promise), onLoop: index)
        case .response(let response):
            // A stream is confined to the loop that made it.
            if case .stream = response.body { return state.responseArrived(.ready(response), onLoop: index) }
            state.requestArrived()
            respond(response, &output)
        }
    }

    /// Leaves for the loop that the request or its response belongs to, or lends the connection to it.
    func leave() {
        switch state.leave(canSend: transport.unsent.isEmpty) {
        case .none: break
        case .move(let index): move(to: worker.siblings[index])
        case .lend(let message, let index):
            let (target, now) = (worker.siblings[index], worker.loop.nanoseconds)
            // Once the response is written the connection is idle, and nobody tells the owner.
            deadlines.begin(.nextRequest, at: now)
            worker.loop.wake(self, at: now + min(worker.times.idle, worker.times.progressCheck))
            let isRecalled = !input.isEmpty || state.readiness.contains(.canRead)
            let borrowed = UnsafeTransfer(BorrowedConnection(connection: self, request: message))
            // From here on the connection is not touched any more.
            ownership.lend(isRecalled: isRecalled)
            target.loop.execute { borrowed.value.answer(on: target) }
        }
    }

    /// Goes on after the connection was lent, on the owner's loop.
    func wasReturned(_ action: BorrowedConnection.ReturnAction) {
        ownership.takeBack()
        let missed = ownership.takeMissedEvents()
        // The loop may have closed it with all others meanwhile.
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
        // Both loops would touch the mark otherwise.
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

    /// Passes the socket to a connection of HTTP/2.
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
