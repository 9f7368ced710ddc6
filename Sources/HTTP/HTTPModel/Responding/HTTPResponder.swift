/// A type that responds to requests. A server creates one for each of its event loops and calls it on that loop only,
/// so it needs no lock.
public protocol HTTPResponder: AnyObject, SendableMetatype {
    /// Returns the index of the event loop that must respond to the request, or `nil` for any loop. The server moves
    /// the connection to that loop first and calls the responder there.
    func placement(of request: HTTPRequest) -> Int?

    /// Responds to a request. Called once per request, in the order of arrival on each connection.
    func respond(to request: HTTPRequest) -> HTTPAnswer

    /// Adds the fields that every response has, to a response that this responder has not created: the server has refused the request.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - fields: The fields of the request, as far as they were read; of those that follow a fault, only `Origin`.
    ///   - peer: The client.
    func addPolicyFields(to response: inout HTTPResponse, for fields: HTTPFields, from peer: HTTPPeer)

    /// Prepares for shutdown: ends streams after their last events and refuses to start anything new. Requests in
    /// progress still get responses.
    func drain()
}

extension HTTPResponder {
    /// Returns `nil`: any loop may respond.
    public func placement(of request: HTTPRequest) -> Int? { nil }

    /// Adds nothing.
    public func addPolicyFields(to response: inout HTTPResponse, for fields: HTTPFields, from peer: HTTPPeer) {}

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

/// An object that waits for a promised response. Confined to the event loop of the responder.
public protocol ResponseReceiver: AnyObject {
    /// Whether the response would still be used. A responder may drop a request whose client has left.
    var awaitsResponse: Bool { get }

    /// Calls ``DeferredResponse/clientLeft()`` of a promise when the client leaves before the response, on the loop of the responder. Called
    /// only for promises that act on it.
    func watch(for promise: DeferredResponse)
}

extension ResponseReceiver {
    /// Does nothing: the client stays.
    public func watch(for promise: DeferredResponse) {}
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
    // Not a closure, which would be allocated for each promise.
    private var receiver: (any ResponseReceiver)?
    /// What is done with the response before anybody receives it.
    private var changes: [Change] = []
    private var leave: (() -> Void)?

    // In a structure: an array of closures would allocate a second closure for each of them.
    private struct Change {
        let apply: (inout HTTPResponse) -> Void
    }

    /// Creates an unfulfilled promise.
    public init() {}

    /// Whether somebody still waits for the response. A responder may drop a request whose client has left.
    ///
    /// True if nothing is known about the receiver.
    public var isAwaited: Bool { receiver?.awaitsResponse ?? true }

    /// Fulfils the promise. Later calls are ignored.
    public func fulfil(_ response: HTTPResponse) {
        leave = nil
        switch state {
        case .empty: state = .answered(changed(response))
        case .waiting(let receive):
            // Set before the call, because the closure may call this promise again.
            state = .done
            receive(changed(response))
        case .answered, .done: break
        }
    }

    /// Lets a closure see and change the response before anybody receives it. For responders that pass on the promise of another one.
    ///
    /// - Parameter change: Called once, after the closures of earlier calls; immediately if the response is available. Not called if
    ///   somebody waits for the response already.
    public func change(_ change: @escaping (inout HTTPResponse) -> Void) {
        switch state {
        case .empty: changes.append(Change(apply: change))
        case .answered(var response):
            change(&response)
            state = .answered(response)
        case .waiting, .done: assertionFailure("expected a promise that nobody waits for yet")
        }
    }

    private func changed(_ response: HTTPResponse) -> HTTPResponse {
        if changes.isEmpty { return response }
        var response = response
        for change in changes { change.apply(&response) }
        changes = []
        return response
    }

    /// Returns the response if it is available already; nil otherwise. Only the first caller receives it.
    public func takeIfFulfilled() -> HTTPResponse? {
        guard case .answered(let response) = state else { return nil }
        state = .done
        return response
    }

    /// Calls the closure with the response, immediately if it is available. Only the first caller receives it.
    ///
    /// - Parameters:
    ///   - receiver: The object that waits, for ``isAwaited``; nil if it always does. Kept until the promise is fulfilled or
    ///     released.
    ///   - receive: Receives the response.
    public func whenFulfilled(
        for receiver: (any ResponseReceiver)? = nil, _ receive: @escaping (HTTPResponse) -> Void
    ) {
        switch state {
        case .empty:
            self.receiver = receiver
            state = .waiting(receive)
            if leave != nil { receiver?.watch(for: self) }
        case .answered(let response):
            state = .done
            receive(response)
        case .waiting, .done: break
        }
    }

    /// Calls a closure once if the client leaves before the response: it has closed the connection, or cancelled the request. A
    /// client that has only closed its sending side still reads, and gets the response. So the closure fulfils the promise with what is
    /// known by now, if it can.
    public func whenClientLeaves(_ leave: @escaping () -> Void) {
        switch state {
        case .empty, .waiting: self.leave = leave
        case .answered, .done: return
        }
        receiver?.watch(for: self)
    }

    /// Reports that the client has left. Ignored if the promise has been fulfilled.
    public func clientLeft() { leave.take()?() }
}
