public import CombineCore
import Locking

/// A publisher that a test controls, and that records requests and cancellations.
///
/// Each subscriber gets an ``Attachment`` through which the test sends. The publisher's own `send` methods use the
/// latest one.
public final class ScriptedPublisher<Output, Failure: Error>: Publisher, Sendable {
    /// The behaviour of the publisher towards its subscribers.
    public enum Manner: Sendable {
        /// Sends the subscription immediately, and releases a subscriber that has cancelled or completed.
        case orderly
        /// Sends the subscription immediately, and retains the subscriber forever, so that a test can send forbidden
        /// events.
        case unruly
        /// Like ``unruly``, but sends no subscription until the test does.
        case silent
    }

    private let manner: Manner
    private let made: Lock<[Attachment<Output, Failure>]>
    private let onRequest: Lock<((Attachment<Output, Failure>, Subscribers.Demand) -> Void)?>

    /// Creates a publisher without subscribers.
    ///
    /// - Parameters:
    ///   - manner: The behaviour of the publisher towards its subscribers.
    ///   - onRequest: Called for each request, after it has been recorded.
    public init(
        _ manner: Manner = .orderly, onRequest: ((Attachment<Output, Failure>, Subscribers.Demand) -> Void)? = nil
    ) {
        self.manner = manner
        made = Lock([])
        self.onRequest = Lock(onRequest)
    }

    /// The attachments of all subscribers, in the order in which they subscribed.
    public var attachments: [Attachment<Output, Failure>] { made.withLock { $0 } }

    /// The attachment of the latest subscriber.
    public var latest: Attachment<Output, Failure>? { made.withLock { $0.last } }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let attachment = Attachment(AnySubscriber(subscriber), manner, onRequest.withLock { $0 })
        made.withLock { $0.append(attachment) }
        if manner != .silent { attachment.sendSubscription() }
    }

    /// Sends `value` to the latest subscriber, with or without demand.
    ///
    /// - Returns: The demand that the subscriber returned, or nil if there is no subscriber.
    @discardableResult
    public func send(_ value: Output) -> Subscribers.Demand? {
        latest?.send(value)
    }

    /// Sends a completion to the latest subscriber.
    public func send(completion: Subscribers.Completion<Failure>) {
        latest?.send(completion: completion)
    }
}

/// The subscription of one subscriber of a ``ScriptedPublisher``.
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

    /// The subscriber, while the publisher retains it.
    public var subscriber: AnySubscriber<Output, Failure>? { state.withLock { $0.subscriber } }

    /// All requests, in order.
    public var requests: [Subscribers.Demand] { state.withLock { $0.requests } }

    /// The sum of all requests and returned demands, minus the number of sent values.
    public var outstanding: Subscribers.Demand { state.withLock { $0.outstanding } }

    /// The number of times that the subscription has been cancelled.
    public var cancellations: Int { state.withLock { $0.cancellations } }

    /// Sends this subscription to the subscriber.
    public func sendSubscription() {
        subscriber?.receive(subscription: self)
    }

    /// Sends `value` with or without demand, and adds the returned demand to ``outstanding``.
    ///
    /// - Returns: The returned demand, or nil if there is no subscriber.
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

    /// Sends `value` if there is demand.
    ///
    /// - Returns: Whether it was sent.
    public func offer(_ value: Output) -> Bool {
        guard outstanding > 0, subscriber != nil else { return false }
        send(value)
        return true
    }

    /// Sends a completion. An orderly publisher releases the subscriber first.
    public func send(completion: Subscribers.Completion<Failure>) {
        let subscriber = state.withLock { state in
            let taken = state.subscriber
            if manner == .orderly { state.subscriber = nil }
            return taken
        }
        subscriber?.receive(completion: completion)
    }

    /// Records the request.
    public func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            state.requests.append(demand)
            state.outstanding += demand
        }
        onRequest.withLock { $0 }?(self, demand)
    }

    /// Records the cancellation. An orderly publisher releases the subscriber.
    public func cancel() {
        let former = state.withLock { state -> AnySubscriber<Output, Failure>? in
            state.cancellations += 1
            guard manner == .orderly else { return nil }
            let taken = state.subscriber
            state.subscriber = nil
            return taken
        }
        // Released outside the lock, because its deinitializer may call this attachment.
        withExtendedLifetime(former) {}
    }
}

extension Attachment: CustomStringConvertible {
    /// `Attachment`, without the types.
    public var description: String { "Attachment" }
}
