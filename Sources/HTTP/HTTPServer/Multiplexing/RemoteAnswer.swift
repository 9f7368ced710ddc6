import HTTP2
import HTTPModel
import Locking

/// A request of an HTTP/2 connection that is processed on another loop, to which its session belongs.
///
/// Sendable: all properties except `connection` are constant or accessed only on the other loop, and `connection` is
/// accessed only when the response has arrived on its loop.
final class RemoteAnswer: @unchecked Sendable {
    private let connection: MultiplexedConnection
    private let home: ServerLoop
    private let other: ServerLoop
    private let stream: HTTP2StreamID

    private init(_ connection: MultiplexedConnection, _ stream: HTTP2StreamID, on other: ServerLoop) {
        self.connection = connection
        self.stream = stream
        self.other = other
        home = connection.serverLoop
    }

    /// Processes a request on another loop.
    static func request(
        _ request: HTTPRequest, on other: ServerLoop, for stream: HTTP2StreamID, of connection: MultiplexedConnection
    ) {
        let answer = RemoteAnswer(connection, stream, on: other)
        // If both loops share a thread, the work of the other loop runs here, without a task and a wakeup.
        if other.loop.runInline(from: answer.home.loop, { answer.make(request) }) == nil {
            other.loop.execute(for: WorkSource(request.peer)) { answer.make(request) }
        }
    }

    private func make(_ request: HTTPRequest) {
        // A loop without a responder has been stopped, although this one is still running.
        guard let responder = other.responder else { return receive(HTTPResponse(status: .serviceUnavailable)) }
        switch responder.respond(to: request) {
        case .response(let response): receive(response)
        case .deferred(let promise): promise.whenFulfilled(for: self)
        }
    }

    func receive(_ response: HTTPResponse) {
        var response = response
        // A stream is confined to the loop that created it, and the connection never moves there.
        if case .stream(let body) = response.body {
            response.body = .stream(BodyRelay.carry(body, from: other.loop, to: home.loop))
        }
        let isDelivered: Void? = home.loop.runInline(from: other.loop) {
            connection.respond(to: stream, with: response)
        }
        if isDelivered != nil { return }
        let carried = UnsafeTransfer(response)
        home.loop.execute { [self] in connection.respond(to: stream, with: carried.value) }
    }
}

extension RemoteAnswer: ResponseReceiver {
    /// True: only the connection's loop knows whether it is closed.
    var awaitsResponse: Bool { true }

    func watch(for promise: DeferredResponse) {
        let carried = UnsafeTransfer(WatchedPromise(promise, of: other))
        let isWatched: Void? = home.loop.runInline(from: other.loop) { connection.watch(carried.value, of: stream) }
        if isWatched == nil { home.loop.execute { [self] in connection.watch(carried.value, of: stream) } }
    }
}
