import HTTP2
import HTTPModel

// From requests to answers.
extension MultiplexedConnection {
    /// Has everything answered that has come.
    func answerAll() {
        while !flags.contains(.isClosed), let event = engine.nextEvent() {
            switch event {
            case .request(let stream, let request): receive(request, on: stream)
            case .refusal(let stream, let refusal): respond(to: stream, with: refusal.problem.response)
            case .malformed, .reset, .goAway: break
            }
        }
    }

    private func receive(_ request: HTTPRequest, on stream: HTTP2StreamID) {
        if let refusal = context.refusal(of: request, isSecure: secure != nil) {
            return respond(to: stream, with: refusal)
        }
        guard let responder = context.responder else { return close(abruptly: true) }
        if let index = responder.placement(of: request), index != context.loop.index,
            context.siblings.indices.contains(index)
        {
            return RemoteAnswer.ask(context.siblings[index], request, for: stream, of: self)
        }
        switch responder.respond(to: request) {
        case .response(let response): respond(to: stream, with: response)
        case .deferred(let promise):
            promise.whenFulfilled { [weak self] response in
                if let self {
                    respond(to: stream, with: response)
                } else if case .stream(let body) = response.body {
                    body.stop()
                }
            }
        }
    }

    /// Answers a request. Whatever has become of its stream, the answer's body is told.
    func respond(to stream: HTTP2StreamID, with response: HTTPResponse) {
        guard !flags.contains(.isClosed) else {
            if case .stream(let body) = response.body { body.stop() }
            return
        }
        var response = response
        if secure != nil { context.addSecurityFields(to: &response, for: engine.peer) }
        engine.respond(to: stream, with: response, date: context.dateValue())
        connectionHasOutput()
    }
}
