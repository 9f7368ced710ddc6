import HTTPModel
import Locking

/// A promise's reference to a connection, which no longer exists if its client has left before the response: a promise that is never
/// fulfilled must not keep the connection. Used on the connection's loop.
final class ConnectionReference {
    // Not a weak reference to the connection: the first one moves an object's reference counts to a side table, which makes
    // each retain and release of the connection more expensive from then on.
    unowned(unsafe) var connection: Connection?
    /// The promise that the connection awaits, if it has to know when the client leaves.
    fileprivate var watched: WatchedPromise?

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Lets a promise know when the client leaves, or that it has left.
    fileprivate func watch(_ promise: WatchedPromise) {
        guard let connection, connection.state.awaitsPromise, !connection.state.readiness.contains(.peerFinished) else {
            return promise.clientLeft()
        }
        watched = promise
    }

    /// Records that the client has closed its sending side, or the connection was closed.
    func clientLeft() { watched.take()?.clientLeft() }
}

extension ConnectionReference: ResponseReceiver {
    /// Whether a promised response would be sent.
    var awaitsResponse: Bool { connection?.state.awaitsPromise ?? false }

    func receive(_ response: HTTPResponse) {
        if let connection {
            connection.promiseWasFulfilled(response, on: connection.serverLoop)
        } else if case .stream(let stream) = response.body {
            stream.stop()
        }
    }

    func watch(for promise: DeferredResponse) {
        guard let loop = connection?.serverLoop else { return promise.clientLeft() }
        watch(WatchedPromise(promise, of: loop))
    }
}

/// What receives a response that the responder of another loop has promised. Used on that loop.
private final class RemoteReceiver: ResponseReceiver {
    private let reference: ConnectionReference
    private let other: ServerLoop
    private let home: ServerLoop
    /// Whether the response has arrived. Accessed on the connection's loop.
    private var isAnswered = false

    init(_ reference: ConnectionReference, on home: ServerLoop, from other: ServerLoop) {
        (self.reference, self.home, self.other) = (reference, home, other)
    }

    /// True: only the connection's loop knows whether it still exists.
    var awaitsResponse: Bool { true }

    func watch(for promise: DeferredResponse) {
        let carried = UnsafeTransfer((receiver: self, promise: WatchedPromise(promise, of: other)))
        let isWatched: Void? = home.loop.runInline(from: other.loop) { watch(carried.value.promise) }
        if isWatched == nil { home.loop.execute { carried.value.receiver.watch(carried.value.promise) } }
    }

    /// On the connection's loop. The response may have overtaken this, and the connection may await that to its next request.
    private func watch(_ promise: WatchedPromise) {
        if !isAnswered { reference.watch(promise) }
    }

    func receive(_ response: HTTPResponse) {
        let carried = UnsafeTransfer((receiver: self, response: response))
        let isDelivered: Void? = home.loop.runInline(from: other.loop) { deliver(carried.value.response) }
        if isDelivered == nil { home.loop.execute { carried.value.receiver.deliver(carried.value.response) } }
    }

    private func deliver(_ response: HTTPResponse) {
        isAnswered = true
        Connection.deliver(response, to: reference, from: other)
    }
}

extension Connection {
    /// Awaits a response that the responder of another loop has promised. Called on that loop.
    ///
    /// The connection stays on its own loop, which sends the response: its next requests may be for any session, and moving it
    /// costs more than the response.
    ///
    /// - Parameters:
    ///   - reference: The connection, which the other loop need not have borrowed any more.
    ///   - home: The connection's own loop.
    static func awaitResponse(
        _ promise: DeferredResponse, of other: ServerLoop, for reference: ConnectionReference, on home: ServerLoop
    ) {
        promise.whenFulfilled(for: RemoteReceiver(reference, on: home, from: other))
    }

    fileprivate static func deliver(
        _ response: HTTPResponse, to reference: ConnectionReference, from other: ServerLoop
    ) {
        if let connection = reference.connection { return connection.promiseWasFulfilled(response, on: other) }
        stop(response, on: other)
    }

    /// - Parameter loop: The loop that has created the response.
    fileprivate func promiseWasFulfilled(_ response: HTTPResponse, on loop: ServerLoop) {
        reference.watched = nil
        switch state.promiseWasFulfilled(response, onLoop: loop === serverLoop ? nil : loop.loop.index) {
        case .schedule: serverLoop.loop.mark(self)
        case .proceed: break
        case .discard: Connection.stop(response, on: loop)
        }
    }

    /// Stops the stream of a response that nobody reads, on the loop to which the stream is confined.
    private static func stop(_ response: HTTPResponse, on loop: ServerLoop) {
        guard case .stream(let stream) = response.body else { return }
        if loop.loop.isCurrent { return stream.stop() }
        let carried = UnsafeTransfer(stream)
        loop.loop.execute { carried.value.stop() }
    }
}
