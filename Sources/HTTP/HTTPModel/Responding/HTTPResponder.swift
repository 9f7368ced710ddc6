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

    /// Receives the response. Called at most once for each promise.
    func receive(_ response: HTTPResponse)

    /// Calls ``DeferredResponse/clientLeft()`` of a promise when the client leaves before the response, on the loop of the responder. Called
    /// only for promises that act on it.
    func watch(for promise: DeferredResponse)
}

extension ResponseReceiver {
    /// Does nothing: the client stays.
    public func watch(for promise: DeferredResponse) {}
}

/// A response that is not available yet. Confined to the event loop of the responder.
///
/// It is not known yet, or it is known and held: a response that reports a turn leaves when the turn is stored.
public final class DeferredResponse {
    // In the order in which a promise passes through them.
    private enum Phase: UInt8 { case empty, held, answered, done }

    private var phase = Phase.empty
    /// The response, while it is held or available.
    // Not a value of the phase: taking it out of an enumeration would retain each of its parts.
    private var response: HTTPResponse?
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

    /// Creates a promise of a response that nobody may receive before ``release()``.
    public init(holding response: HTTPResponse) { (self.response, phase) = (response, .held) }

    /// Whether somebody still waits for the response. A responder may drop a request whose client has left.
    ///
    /// True if nothing is known about the receiver.
    public var isAwaited: Bool { receiver?.awaitsResponse ?? true }

    /// The response that nobody may receive yet; nil if it is not known, or available.
    public var held: HTTPResponse? { phase == .held ? response : nil }

    /// Keeps the response until ``release()``. Ignored if the promise has been fulfilled.
    public func hold(_ response: HTTPResponse) {
        guard phase.rawValue <= Phase.held.rawValue else { return }
        (self.response, phase) = (response, .held)
    }

    /// Fulfils the promise with the response that it holds. Ignored if it holds none.
    public func release() {
        guard phase == .held else { return }
        // Set before the calls, because a closure may call this promise again.
        phase = .answered
        leave = nil
        for change in changes { apply(change.apply) }
        changes = []
        if let receiver = receiver.take() { deliver(to: receiver) }
    }

    /// Fulfils the promise. Later calls are ignored.
    public func fulfil(_ response: HTTPResponse) {
        hold(response)
        release()
    }

    /// Lets a closure see and change the response before anybody receives it. For responders that pass on the promise of another one.
    ///
    /// - Parameter change: Called once, after the closures of earlier calls; immediately if the response is available. Nobody may
    ///   wait for the response yet.
    public func change(_ change: @escaping (inout HTTPResponse) -> Void) {
        assert(phase != .done && receiver == nil, "expected a promise that nobody waits for yet")
        if phase == .answered {
            apply(change)
        } else {
            changes.append(Change(apply: change))
        }
    }

    /// Changes the response that the promise holds, at once. Unlike ``change(_:)``, this keeps no closure until the response leaves.
    ///
    /// - Returns: False if the promise holds no response, or if closures must see it first.
    public func changeHeld(_ change: (inout HTTPResponse) -> Void) -> Bool {
        guard phase == .held, changes.isEmpty else { return false }
        apply(change)
        return true
    }

    private func apply(_ change: (inout HTTPResponse) -> Void) {
        guard var changed = response.take() else { return }
        change(&changed)
        response = changed
    }

    /// Returns the response if it is available already; nil otherwise. Only the first caller receives it.
    public func takeIfFulfilled() -> HTTPResponse? {
        guard phase == .answered else { return nil }
        phase = .done
        return response.take()
    }

    /// Gives the response to an object, immediately if it is available. Only the first one receives it.
    ///
    /// - Parameter receiver: Kept until the promise is fulfilled or released from memory.
    public func whenFulfilled(for receiver: any ResponseReceiver) {
        switch phase {
        case .empty, .held:
            guard self.receiver == nil else { return }
            self.receiver = receiver
            if leave != nil { receiver.watch(for: self) }
        case .answered: deliver(to: receiver)
        case .done: break
        }
    }

    private func deliver(to receiver: any ResponseReceiver) {
        guard let response = takeIfFulfilled() else { return }
        receiver.receive(response)
    }

    /// Calls a closure with the response, immediately if it is available. Only the first receiver receives it.
    public func whenFulfilled(_ receive: @escaping (HTTPResponse) -> Void) {
        whenFulfilled(for: ClosureReceiver(receive))
    }

    private final class ClosureReceiver: ResponseReceiver {
        private let closure: (HTTPResponse) -> Void

        init(_ closure: @escaping (HTTPResponse) -> Void) { self.closure = closure }

        var awaitsResponse: Bool { true }

        func receive(_ response: HTTPResponse) { closure(response) }
    }

    /// Calls a closure once if the client leaves before the response: it has closed the connection, or cancelled the request. A
    /// client that has only closed its sending side still reads, and gets the response. So the closure fulfils the promise with what is
    /// known by now, if it can.
    public func whenClientLeaves(_ leave: @escaping () -> Void) {
        guard phase.rawValue <= Phase.held.rawValue else { return }
        self.leave = leave
        receiver?.watch(for: self)
    }

    /// Reports that the client has left. Ignored if the promise has been fulfilled.
    public func clientLeft() { leave.take()?() }
}
