/// What answers requests. A server makes one for each of its event loops and calls it on that loop only, so that
/// it needs no lock.
public protocol HTTPResponder: AnyObject, SendableMetatype {
    /// The index of the event loop on which this request must be answered, or `nil` if any will do. The server moves the
    /// connection to that loop first and asks the responder there.
    func placement(of request: HTTPRequest) -> Int?

    /// Answers a request. Called once a request, in the order of arrival on each connection.
    func respond(to request: HTTPRequest) -> HTTPAnswer

    /// The server is going down: end streams (they get their last events), refuse what would start something.
    /// Requests that are under way are still answered.
    func drain()
}

extension HTTPResponder {
    /// Any loop will do.
    public func placement(of request: HTTPRequest) -> Int? { nil }

    /// Nothing to end.
    public func drain() {}
}

/// An answer, now or later.
public enum HTTPAnswer {
    /// The answer.
    case response(HTTPResponse)
    /// A promise of one.
    case deferred(DeferredResponse)
}

/// An answer that is not there yet. Confined to the event loop that asked.
public final class DeferredResponse {
    private enum State {
        case empty
        case waiting((HTTPResponse) -> Void)
        case answered(HTTPResponse)
        case done
    }

    private var state = State.empty

    /// A promise that nobody waits for yet.
    public init() {}

    /// Gives the answer. A second one is ignored.
    public func fulfil(_ response: HTTPResponse) {
        switch state {
        case .empty: state = .answered(response)
        case .waiting(let receive):
            state = .done
            receive(response)
        case .answered, .done: break
        }
    }

    /// The server's side: takes the answer, at once if it is there. The first caller gets it.
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
