public import CombineCore
import Locking

/// A publisher that does what a test tells it to, and writes down what is asked of it.
///
/// Every subscriber gets an ``Attachment``, through which the test sends; the publisher's own `send` goes to the
/// latest one.
public final class ScriptedPublisher<Output, Failure: Error>: Publisher, Sendable {
    /// How the publisher treats its subscribers.
    public enum Manner: Sendable {
        /// Sends the subscription at once, and lets go of a subscriber that has cancelled or has been told the end.
        case orderly
        /// Sends the subscription at once, and keeps the subscriber whatever happens, so that a test can send what a
        /// publisher must not send.
        case unruly
        /// Like ``unruly``, but sends no subscription until the test says so.
        case silent
    }

    private let manner: Manner
    private let made: Lock<[Attachment<Output, Failure>]>
    private let onRequest: Lock<((Attachment<Output, Failure>, Subscribers.Demand) -> Void)?>

    /// Makes a publisher that nobody has subscribed to.
    ///
    /// - Parameter onRequest: Runs at each request, after it has been written down.
    public init(
        _ manner: Manner = .orderly, onRequest: ((Attachment<Output, Failure>, Subscribers.Demand) -> Void)? = nil
    ) {
        self.manner = manner
        made = Lock([])
        self.onRequest = Lock(onRequest)
    }

    /// One attachment for each subscriber, in the order in which they came.
    public var attachments: [Attachment<Output, Failure>] { made.withLock { $0 } }

    /// The attachment of the subscriber that came last.
    public var latest: Attachment<Output, Failure>? { made.withLock { $0.last } }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let attachment = Attachment(AnySubscriber(subscriber), manner, onRequest.withLock { $0 })
        made.withLock { $0.append(attachment) }
        if manner != .silent { attachment.sendSubscription() }
    }

    /// Sends `value` to the latest subscriber, whether it has asked or not.
    ///
    /// - Returns: What the subscriber answered; nil if there is none.
    @discardableResult
    public func send(_ value: Output) -> Subscribers.Demand? {
        latest?.send(value)
    }

    /// Tells the latest subscriber that the stream has ended.
    public func send(completion: Subscribers.Completion<Failure>) {
        latest?.send(completion: completion)
    }
}

/// The subscription that a ``ScriptedPublisher`` hands to one subscriber.
public final class Attachment<Output, Failure: Error>: Subscription, Sendable {
    private struct State {
        var subscriber: AnySubscriber<Output, Failure>?
        var requests: [Subscribers.Demand] = []
        var outstanding = Subscribers.Demand.none
        var cancellations = 0
    }

    private let state: Lock<State>
    private let manner: ScriptedPublisher<Output, Failure>.Manner
    private let onRequest: Lock<((Attachment, Subscribers.Demand) -> Void)?>

    init(
        _ subscriber: AnySubscriber<Output, Failure>, _ manner: ScriptedPublisher<Output, Failure>.Manner,
        _ onRequest: ((Attachment, Subscribers.Demand) -> Void)?
    ) {
        state = Lock(State(subscriber: subscriber))
        self.manner = manner
        self.onRequest = Lock(onRequest)
    }

    /// The subscriber, as long as the publisher keeps it.
    public var subscriber: AnySubscriber<Output, Failure>? { state.withLock { $0.subscriber } }

    /// Every request that has been made, in its order.
    public var requests: [Subscribers.Demand] { state.withLock { $0.requests } }

    /// The sum of all requests and answers, less the values that have been sent.
    public var outstanding: Subscribers.Demand { state.withLock { $0.outstanding } }

    /// How often the subscription has been cancelled.
    public var cancellations: Int { state.withLock { $0.cancellations } }

    /// Hands this subscription to the subscriber.
    public func sendSubscription() {
        subscriber?.receive(subscription: self)
    }

    /// Sends `value` whether it has been asked for or not, and adds the answer to what is outstanding.
    ///
    /// - Returns: The answer; nil if there is no subscriber any more.
    @discardableResult
    public func send(_ value: Output) -> Subscribers.Demand? {
        let subscriber = state.withLock { state in
            if state.outstanding > 0 { state.outstanding -= 1 }
            return state.subscriber
        }
        guard let more = subscriber?.receive(value) else { return nil }
        state.withLock { $0.outstanding += more }
        return more
    }

    /// Sends `value` if one has been asked for.
    ///
    /// - Returns: Whether it was sent.
    public func offer(_ value: Output) -> Bool {
        guard outstanding > 0, subscriber != nil else { return false }
        send(value)
        return true
    }

    /// Tells the subscriber that the stream has ended; an orderly publisher lets go of it first.
    public func send(completion: Subscribers.Completion<Failure>) {
        let subscriber = state.withLock { state in
            let taken = state.subscriber
            if manner == .orderly { state.subscriber = nil }
            return taken
        }
        subscriber?.receive(completion: completion)
    }

    /// Writes the request down.
    public func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            state.requests.append(demand)
            state.outstanding += demand
        }
        onRequest.withLock { $0 }?(self, demand)
    }

    /// Writes the cancellation down; an orderly publisher lets go of the subscriber.
    public func cancel() {
        let former = state.withLock { state -> AnySubscriber<Output, Failure>? in
            state.cancellations += 1
            guard manner == .orderly else { return nil }
            let taken = state.subscriber
            state.subscriber = nil
            return taken
        }
        withExtendedLifetime(former) {}
    }
}

extension Attachment: CustomStringConvertible {
    /// `Attachment`, without the types.
    public var description: String { "Attachment" }
}
