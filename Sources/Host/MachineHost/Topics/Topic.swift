public import CombineCore
import HTTPModel
import Locking

/// A topic of the server, by which machines communicate across sessions: a publisher of the values that all sessions send.
///
/// Create it with `context.topic(_:of:delivering:)`. Each value that a session receives is a turn of its own. Confined to the session's loop,
/// except for subscriptions and ``send(_:)``.
public struct Topic<Value: Codable>: Publisher {
    /// The values.
    public typealias Output = Value
    /// A topic never ends.
    public typealias Failure = Never

    /// The name, which is the same in all sessions.
    public let name: String
    let rule: TopicRule
    let topics: SessionTopics

    /// Publishes a value to all sessions that subscribe, including this one, when the turn in progress is stored.
    ///
    /// Nothing is published by a turn that fails, in a replay, and while the machine of a stored session is created again. A value that cannot
    /// be encoded, or is larger than ``TopicLimits/valueBytes``, ends the session with an incident. Callable from any thread.
    public func send(_ value: Value) { topics.send(value, to: self, isOffer: false) }

    /// Publishes a value, as ``send(_:)`` does, if the topic has no current value: because it is new, or the process has been restarted.
    public func offer(_ value: Value) { topics.send(value, to: self, isOffer: true) }

    /// Attaches a subscriber. It misses the values that arrive while it has no demand.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Value, Downstream.Failure == Never {
        let subscription = TopicSubscription<Value>(to: name, topics, AnySubscriber(subscriber))
        subscriber.receive(subscription: subscription)
        topics.begin(subscription)
    }

    /// The values as an asynchronous sequence, of which the newest wait while a task is busy, up to ``TopicLimits/queuedValues``.
    public var values: AsyncPublisher<Publishers.Buffer<Topic<Value>>> {
        let size = rule == .latest ? 1 : topics.limits.queuedValues
        return buffer(size: size, prefetch: .byRequest, whenFull: rule == .dropNewest ? .dropNewest : .dropOldest)
            .values
    }
}

/// A subscription to a topic. Confined to the loop, except for what its subclass synchronizes.
class TopicReceiver {
    let topic: String
    /// The number of the last value that it has received, or that had been published when it began.
    final var number: UInt64 = 0

    init(to topic: String) {
        self.topic = topic
    }

    var isCancelled: Bool { preconditionFailure("\(Self.self) must override isCancelled") }

    /// Receives a value, in a turn.
    ///
    /// - Throws: An error if the value is not of the expected type.
    func receive(_ json: ArraySlice<UInt8>) throws { preconditionFailure("\(Self.self) must override receive(_:)") }
}

private final class TopicSubscription<Value: Codable>: TopicReceiver, Subscription {
    /// The side of the subscriber, which may use any thread.
    private struct Delivery {
        /// Nil once the subscription has ended.
        var subscriber: AnySubscriber<Value, Never>?
        var demand = Subscribers.Demand.none
    }

    private let topics: SessionTopics
    private let delivery: Lock<Delivery>

    init(to topic: String, _ topics: SessionTopics, _ subscriber: AnySubscriber<Value, Never>) {
        self.topics = topics
        delivery = Lock(Delivery(subscriber: subscriber))
        super.init(to: topic)
    }

    override var isCancelled: Bool { delivery.withLock { $0.subscriber == nil } }

    override func receive(_ json: ArraySlice<UInt8>) throws {
        let value = try EffectJSON.decode(Value.self, from: json)
        let subscriber = delivery.withLock { delivery -> AnySubscriber<Value, Never>? in
            guard delivery.demand > .none else { return nil }
            delivery.demand -= 1
            return delivery.subscriber
        }
        if let more = subscriber?.receive(value) { request(more) }
    }

    func request(_ demand: Subscribers.Demand) {
        delivery.withLock { $0.demand += demand }
    }

    func cancel() {
        // Released outside of the lock: what it has captured may call back.
        let former = delivery.withLock { delivery in
            defer { delivery.subscriber = nil }
            return delivery.subscriber
        }
        if former != nil { topics.end(self) }
    }
}
