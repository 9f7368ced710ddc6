/// A type that responds to requests. A server creates one for each of its event loops and calls it on that loop only,
/// so it needs no lock.
public protocol HTTPResponder: AnyObject, SendableMetatype {
    /// Returns the index of the event loop that must respond to the request, or `nil` for any loop. The server moves
    /// the connection to that loop first and calls the responder there.
    func placement(of request: HTTPRequest) -> Int?

    /// Responds to a request. Called once per request, in the order of arrival on each connection.
    func respond(to request: HTTPRequest) -> HTTPAnswer

    /// Prepares for shutdown: ends streams after their last events and refuses to start anything new. Requests in
    /// progress still get responses.
    func drain()
}

extension HTTPResponder {
    /// Returns `nil`: any loop may respond.
    public func placement(of request: HTTPRequest) -> Int? { nil }

    /// Does nothing.
    public func drain() {}
}

/// A response, now or later.
public enum HTTPAnswer {
    /// A response that is available now.
    case response(HTTPResponse)
    /// A promise of a response.
    case deferred(DeferredResponse)
}

/// A response that is not available yet. Confined to the event loop of the responder.
public final class DeferredResponse {
    private enum State {
        case empty
        case waiting((HTTPResponse) -> Void)
        case answered(HTTPResponse)
        case done
    }

    private var state = State.empty

    /// Creates an unfulfilled promise.
    public init() {}

    /// Fulfils the promise. Later calls are ignored.
    public func fulfil(_ response: HTTPResponse) {
        switch state {
        case .empty: state = .answered(response)
        case .waiting(let receive):
            // Set before the call, because the closure may call this promise again.
            state = .done
            receive(response)
        case .answered, .done: break
        }
    }

    /// Returns the response if it is available already; nil otherwise. Only the first caller receives it.
    public func takeIfFulfilled() -> HTTPResponse? {
        guard case .answered(let response) = state else { return nil }
        state = .done
        return response
    }

    /// Calls the closure with the response, immediately if it is available. Only the first caller receives it.
    public func whenFulfilled(_ receive: @escaping (HTTPResponse) -> Void) {
        switch state {
        case .empty: state = .waiting(receive)
        case .answered(let response):
            state = .done
            receive(response)
        case .waiting, .done: break
        }
    }
}
