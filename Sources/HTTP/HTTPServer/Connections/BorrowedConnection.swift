import CLinux
import HTTP1
import HTTPModel
import Locking

/// A connection on the loop to which it is lent for one request. Its socket stays in the owner's epoll set, and the
/// borrowing loop writes the response.
///
/// Neither epoll set changes. If the socket accepts the whole response, the owner is not even notified.
struct BorrowedConnection {
    let connection: Connection
    let request: HTTP1Message

    /// The action that the owner performs when the connection is returned.
    enum ReturnAction {
        /// Continue as the state requires.
        case resume
        /// The socket failed.
        case abort
        /// Move the connection to the loop that created the response.
        case move(to: ServerLoop)
    }

    /// Responds to the request on the loop of `borrower`.
    func answer(on borrower: ServerLoop) {
        guard let responder = borrower.responder else { return returnToOwner(.abort) }
        switch responder.respond(to: request.request) {
        case .response(let response): write(response, on: borrower)
        case .deferred(let promise):
            // Not awaited below: the response could then reach the owner while this loop still has a reference to the connection,
            // which would be the last one if the owner has closed it.
            if let response = promise.takeIfFulfilled() { return write(response, on: borrower) }
            let (reference, owner) = (connection.reference, connection.serverLoop)
            connection.state.responseWasPromised()
            returnToOwner(.resume)
            // After the return, which the owner must receive before the response.
            Connection.awaitResponse(promise, of: borrower, for: reference, on: owner)
        }
    }

    private func write(_ response: HTTPResponse, on borrower: ServerLoop) {
        if case .stream = response.body, !connection.exchange.isHead {
            connection.state.resume(with: .response(response))
            // A stream is confined to the loop that created it.
            return returnToOwner(.move(to: borrower))
        }
        if StreamedBody.sendsInParts(response, isHead: connection.exchange.isHead) {
            connection.state.resume(with: .response(response))
            // Only the owner is notified when the socket accepts more bytes.
            return returnToOwner(.resume)
        }
        var output = borrower.output.take()
        defer { borrower.output.recycle(&output) }
        _ = borrower.encode(
            response, for: &connection.exchange, to: connection.reader.peer,
            isSecure: connection.transport.isSecure, &output)
        if case .stream(let stream) = response.body { stream.stop() }
        connection.state.responseEnded(connection.exchange, isDraining: borrower.isDraining)
        switch connection.transport.write(&output, on: borrower) {
        case .sent where connection.state.isReading && connection.ownership.returnWithoutNotice(): break
        case .failed: returnToOwner(.abort)
        case .sent, .drained, .advanced, .blocked: returnToOwner(.resume)
        }
    }

    private func returnToOwner(_ action: ReturnAction) {
        let connection = UnsafeTransfer(connection)
        connection.value.serverLoop.loop.execute { ConnectionHandOff(connection: connection.value).takeBack(action) }
    }
}
