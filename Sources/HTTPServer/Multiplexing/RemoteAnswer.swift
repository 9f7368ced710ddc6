import HTTP2
import HTTPModel
import Locking

/// A request whose session lives on another loop than its connection: it is answered there, and the answer comes back.
///
/// Sendable: it is made on the connection's loop, and all but `connection` is touched on the other one; the connection is
/// touched again once the answer is carried back to its loop.
final class RemoteAnswer: @unchecked Sendable {
    private let connection: MultiplexedConnection
    private let home: ServerLoop
    private let stream: HTTP2StreamID

    private init(_ connection: MultiplexedConnection, _ stream: HTTP2StreamID) {
        self.connection = connection
        self.stream = stream
        home = connection.context
    }

    /// Has the other loop answer.
    static func ask(
        _ host: ServerLoop, _ request: HTTPRequest, for stream: HTTP2StreamID, of connection: MultiplexedConnection
    ) {
        let answer = RemoteAnswer(connection, stream)
        if host.loop.runInline(from: answer.home.loop, { answer.make(request, on: host) }) == nil {
            host.loop.execute { answer.make(request, on: host) }
        }
    }

    private func make(_ request: HTTPRequest, on host: ServerLoop) {
        guard let responder = host.responder else {
            return deliver(HTTPResponse(status: .serviceUnavailable), from: host)
        }
        switch responder.respond(to: request) {
        case .response(let response): deliver(response, from: host)
        case .deferred(let promise): promise.whenFulfilled { [self] in deliver($0, from: host) }
        }
    }

    private func deliver(_ response: HTTPResponse, from host: ServerLoop) {
        var response = response
        if case .stream(let body) = response.body {
            response.body = .stream(BodyRelay.carry(body, from: host.loop, to: home.loop))
        }
        let isDelivered: Void? = home.loop.runInline(from: host.loop) { connection.respond(to: stream, with: response) }
        if isDelivered != nil { return }
        let carried = UnsafeTransfer(response)
        home.loop.execute { [self] in connection.respond(to: stream, with: carried.value) }
    }
}
