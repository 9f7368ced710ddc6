public import CombineCore
import Locking

/// A subscriber that writes down what it receives, asks for what its script says, and notes every breach of the rules.
///
/// It may be used from several threads at once. It lets go of its subscription when it cancels and when the stream
/// ends.
public final class RecordingSubscriber<Input, Failure: Error>: Subscriber, Cancellable, Sendable {
    /// What a subscriber can receive.
    public enum Event {
        /// A subscription, with its description.
        case subscription(String)
        /// A value.
        case value(Input)
        /// The end of the stream.
        case completion(Subscribers.Completion<Failure>)
    }

    /// What the subscriber does when it receives something.
    ///
    /// Each reaction is handed the subscriber, so that it can request and cancel from inside.
    public struct Script {
        /// What is asked for as soon as there is a subscription; nothing is asked for if it is `.none`.
        public var demand: Subscribers.Demand
        /// Runs after the subscription has been taken and `demand` has been asked for.
        public var onSubscription: (RecordingSubscriber) -> Void
        /// Answers a value with the number of further values that are wanted.
        public var onValue: (RecordingSubscriber, Input) -> Subscribers.Demand
        /// Runs after the end of the stream has been written down.
        public var onCompletion: (RecordingSubscriber) -> Void

        /// Makes a script; without arguments it asks for everything and reacts to nothing.
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
        /// The thread that delivers, and how deep it is inside.
        var thread: UInt = 0
        var depth = 0
    }

    fileprivate let state: Lock<State>

    /// Makes a subscriber that has not been attached to anything.
    public init(_ script: Script = Script()) {
        state = Lock(State(script: script))
    }

    /// Makes a subscriber that asks for `demand` once it is subscribed and does nothing else of its own accord.
    public convenience init(demand: Subscribers.Demand) {
        self.init(Script(demand: demand))
    }

    /// Everything that has been received, in its order.
    public var events: [Event] { state.withLock { $0.events } }

    /// The values that have been received, in their order.
    public var values: [Input] {
        events.compactMap { event in
            if case .value(let value) = event { value } else { nil }
        }
    }

    /// The first completion that has been received.
    public var completion: Subscribers.Completion<Failure>? {
        completions.first
    }

    /// All completions that have been received; more than one is a ``Violation``.
    public var completions: [Subscribers.Completion<Failure>] {
        events.compactMap { event in
            if case .completion(let completion) = event { completion } else { nil }
        }
    }

    /// The breaches of the rules so far, in their order.
    public var violations: [Violation] { state.withLock { $0.violations } }

    /// The subscription, as long as the stream runs.
    public var subscription: (any Subscription)? { state.withLock { $0.subscription } }

    /// Asks for more values; does nothing without a subscription.
    public func request(_ demand: Subscribers.Demand) {
        let subscription = state.withLock { state in
            state.asked += demand
            return state.subscription
        }
        subscription?.request(demand)
    }

    /// Cancels the stream and lets go of the subscription.
    public func cancel() {
        let subscription = state.withLock { state in
            let taken = state.subscription
            state.isCancelled = true
            state.subscription = nil
            return taken
        }
        subscription?.cancel()
    }

    /// Takes the subscription and asks for what the script says; a second one is noted and otherwise left alone.
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

    /// Writes `input` down and answers what the script says.
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

    /// Writes `completion` down and lets go of the subscription.
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
        if asked < values { violations.append(.valueNotAskedFor) }
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
