import HTTP2
import HTTPModel

extension MultiplexedConnection {
    /// Responds to the requests that the engine has received, as far as the budget allows. Returns whether it did not use up the
    /// budget.
    func answerAll(_ budget: inout StepBudget, on loop: EpollEventLoop) -> Bool {
        // While a peer does not read its responses, it gets no others.
        while !state.isClosed, transport.unsent.isEmpty, engine.hasEvents {
            guard budget.takeRequest(on: loop) else { return false }
            guard let event = engine.nextEvent() else { break }
            switch event {
            case .request(let stream, let request): receive(request, on: stream)
            case .refusal(let stream, let refusal, let fields):
                var response = refusal.problem.response
                serverLoop.responder?.addPolicyFields(to: &response, for: fields, from: engine.peer)
                respond(to: stream, with: response)
            case .reset(let stream, _): clientLeft(stream)
            case .malformed, .goAway: break
            }
        }
        return true
    }

    private func receive(_ request: HTTPRequest, on stream: HTTP2StreamID) {
        // Retained once, instead of for each use.
        let serverLoop = serverLoop
        if let refusal = serverLoop.refusal(of: request, isSecure: transport.isSecure) {
            return respond(to: stream, with: refusal)
        }
        guard let responder = serverLoop.responder else { return close(abruptly: true) }
        // Only this request goes to the other loop: the connection's other streams belong to other sessions, so it never moves.
        if let index = responder.placement(of: request), index != serverLoop.loop.index,
            serverLoop.siblings.indices.contains(index)
        {
            return RemoteAnswer.request(request, on: serverLoop.siblings[index], for: stream, of: self)
        }
        switch responder.respond(to: request) {
        case .response(let response): respond(to: stream, with: response)
        case .deferred(let promise): promise.whenFulfilled(for: MultiplexedReceiver(self, stream))
        }
    }

    /// Sends the response to a request. Its body is stopped if the stream or the connection was closed meanwhile.
    func respond(to stream: HTTP2StreamID, with response: HTTPResponse) {
        guard !state.isClosed else {
            // The engine stops the bodies that it has received, but a closed engine accepts none.
            if case .stream(let body) = response.body { body.stop() }
            return
        }
        forget(stream)
        let serverLoop = serverLoop
        if !transport.isSecure {
            // Not copied, because a copy retains each part of the response.
            engine.respond(to: stream, with: response, date: serverLoop.dateValue())
        } else {
            var response = response
            serverLoop.addSecurityFields(to: &response, for: engine.peer)
            engine.respond(to: stream, with: response, date: serverLoop.dateValue())
        }
        connectionHasOutput()
    }
}

/// What receives a promised response on the loop of the connection.
private final class MultiplexedReceiver: ResponseReceiver {
    // Weak: a promise that is never fulfilled must not keep the connection, whose client may have left.
    private weak var connection: MultiplexedConnection?
    private let stream: HTTP2StreamID

    init(_ connection: MultiplexedConnection, _ stream: HTTP2StreamID) {
        (self.connection, self.stream) = (connection, stream)
    }

    var awaitsResponse: Bool { connection?.state.isClosed == false }

    func watch(for promise: DeferredResponse) {
        guard let connection else { return promise.clientLeft() }
        connection.watch(WatchedPromise(promise, of: connection.serverLoop), of: stream)
    }

    func receive(_ response: HTTPResponse) {
        if let connection {
            connection.respond(to: stream, with: response)
        } else if case .stream(let body) = response.body {
            body.stop()
        }
    }
}
