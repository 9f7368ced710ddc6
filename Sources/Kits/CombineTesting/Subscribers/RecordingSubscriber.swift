public import CombineCore
import Locking

/// A subscriber that records the events it receives, requests values as its script specifies, and detects violations of
/// the rules of Combine.
///
/// It is thread-safe. It releases its subscription when it cancels and when the stream ends.
public final class RecordingSubscriber<Input, Failure: Error>: Subscriber, Cancellable, Sendable {
    /// An event that a subscriber can receive.
    public enum Event {
        /// A subscription, with its description.
        case subscription(String)
        /// A value.
        case value(Input)
        /// The end of the stream.
        case completion(Subscribers.Completion<Failure>)
    }

    /// The reactions of the subscriber to events.
    ///
    /// Each closure receives the subscriber, so that it can request and cancel.
    public struct Script {
        /// The demand that is requested on subscription. Nothing is requested if it is `.none`.
        public var demand: Subscribers.Demand
        /// Called after the subscription has been stored and `demand` requested.
        public var onSubscription: (RecordingSubscriber) -> Void
        /// Called for each value. Returns the additional demand.
        public var onValue: (RecordingSubscriber, Input) -> Subscribers.Demand
        /// Called after the completion has been recorded.
        public var onCompletion: (RecordingSubscriber) -> Void

        /// Creates a script. By default it requests unlimited values and has no reactions.
        public init(
            demand: Subscribers.Demand = .unlimited,
            onSubscription: @escaping (RecordingSubscriber) -> Void = { _ in },
            onValue: @escaping (RecordingSubscriber, Input) -> Subscribers.Demand = { _, _ in .none },
            onCompletion: @escaping (RecordingSubscriber) -> Void = { _ in }
        ) {
            self.demand = demand
            self.onSubscription = onSubscription
            self.onValue = onValue
            self.onCompletion = onCompletion
        }
    }

    fileprivate struct State {
        var script: Script
        var events: [Event] = []
        var violations: [Violation] = []
        var subscription: (any Subscription)?
        var asked = Subscribers.Demand.none
        var hasSubscribed = false
        var isCancelled = false
        var isCompleted = false
        var values = 0
        /// The delivering thread, and the depth of its nested deliveries.
        var thread: UInt = 0
        var depth = 0
    }

    fileprivate let state: Lock<State>

    /// Creates a subscriber that is not attached to a publisher.
    public init(_ script: Script = Script()) {
        state = Lock(State(script: script))
    }

    /// Creates a subscriber that requests `demand` on subscription and has no reactions.
    public convenience init(demand: Subscribers.Demand) {
        self.init(Script(demand: demand))
    }

    /// All received events, in order.
    public var events: [Event] { state.withLock { $0.events } }

    /// The received values, in order.
    public var values: [Input] {
        events.compactMap { event in
            if case .value(let value) = event { value } else { nil }
        }
    }

    /// The first received completion.
    public var completion: Subscribers.Completion<Failure>? {
        completions.first
    }

    /// All received completions. More than one is a ``Violation``.
    public var completions: [Subscribers.Completion<Failure>] {
        events.compactMap { event in
            if case .completion(let completion) = event { completion } else { nil }
        }
    }

    /// The violations so far, in order.
    public var violations: [Violation] { state.withLock { $0.violations } }

    /// The subscription, until the stream ends.
    public var subscription: (any Subscription)? { state.withLock { $0.subscription } }

    /// Requests more values. Does nothing without a subscription.
    public func request(_ demand: Subscribers.Demand) {
        let subscription = state.withLock { state in
            state.asked += demand
            return state.subscription
        }
        subscription?.request(demand)
    }

    /// Cancels the stream and releases the subscription.
    public func cancel() {
        let subscription = state.withLock { state in
            let taken = state.subscription
            state.isCancelled = true
            state.subscription = nil
            return taken
        }
        subscription?.cancel()
    }

    /// Stores the subscription and requests the demand of the script. A second subscription is recorded as a violation
    /// and ignored.
    public func receive(subscription: any Subscription) {
        enter()
        let script = state.withLock { state -> Script? in
            state.events.append(.subscription("\(subscription)"))
            if state.hasSubscribed {
                state.violations.append(.secondSubscription)
                return nil
            }
            state.hasSubscribed = true
            state.subscription = subscription
            state.asked += state.script.demand
            return state.script
        }
        if let script {
            if script.demand != .none { subscription.request(script.demand) }
            script.onSubscription(self)
        }
        leave()
    }

    /// Records `input` and returns the demand of the script.
    public func receive(_ input: Input) -> Subscribers.Demand {
        enter()
        let script = state.withLock { state in
            state.events.append(.value(input))
            state.values += 1
            state.noteValue()
            return state.script
        }
        let more = script.onValue(self, input)
        state.withLock { $0.asked += more }
        leave()
        return more
    }

    /// Records `completion` and releases the subscription.
    public func receive(completion: Subscribers.Completion<Failure>) {
        enter()
        let (script, former) = state.withLock { state in
            state.events.append(.completion(completion))
            state.noteCompletion()
            let taken = state.subscription
            state.subscription = nil
            return (state.script, taken)
        }
        withExtendedLifetime(former) {}
        script.onCompletion(self)
        leave()
    }

    private func enter() {
        let thread = ThreadIdentity.current
        state.withLock { state in
            // Deliveries may nest on one thread, but two threads must never deliver at the same time.
            if state.depth > 0, state.thread != thread { state.violations.append(.overlappingDeliveries) }
            state.thread = thread
            state.depth += 1
        }
    }

    private func leave() {
        state.withLock { $0.depth -= 1 }
    }
}

extension RecordingSubscriber.State {
    fileprivate mutating func noteValue() {
        if !hasSubscribed { violations.append(.valueBeforeSubscription) }
        if isCompleted { violations.append(.valueAfterCompletion) }
        if isCancelled { violations.append(.valueAfterCancellation) }
        if asked < values { violations.append(.valueWithoutDemand) }
    }

    fileprivate mutating func noteCompletion() {
        if !hasSubscribed { violations.append(.completionBeforeSubscription) }
        if isCompleted { violations.append(.secondCompletion) }
        if isCancelled { violations.append(.completionAfterCancellation) }
        isCompleted = true
    }
}

extension RecordingSubscriber: CustomStringConvertible {
    /// `RecordingSubscriber`, without the types.
    public var description: String { "RecordingSubscriber" }
}

extension RecordingSubscriber.Event: Equatable where Input: Equatable, Failure: Equatable {}

extension RecordingSubscriber.Event: CustomStringConvertible {
    /// The event in one word or two: `subscription(Map)`, `1`, `finished`, `failure(…)`.
    public var description: String {
        switch self {
        case .subscription(let name): "subscription(\(name))"
        case .value(let value): "\(value)"
        case .completion(.finished): "finished"
        case .completion(.failure(let error)): "failure(\(error))"
        }
    }
}
