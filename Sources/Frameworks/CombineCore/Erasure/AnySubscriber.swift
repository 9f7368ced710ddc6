/// A type-erased subscriber.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    @usableFromInline let box: SubscriberBox<Input, Failure>

    /// Erases the type of `subscriber`. A subscriber that is already erased is used directly.
    @inlinable
    public init<S: Subscriber>(_ subscriber: S) where Input == S.Input, Failure == S.Failure {
        if S.self == AnySubscriber<Input, Failure>.self {
            // The comparison above proves the types equal.
            box = unsafeBitCast(subscriber, to: AnySubscriber<Input, Failure>.self).box
        } else {
            box = TypedSubscriberBox(subscriber)
        }
    }

    /// Creates a subscriber that feeds `subject`.
    @inlinable
    public init<S: Subject>(_ subject: S) where Input == S.Output, Failure == S.Failure {
        self.init(SubjectSubscriber(subject))
    }

    /// Creates a subscriber from closures. Without `receiveValue`, the subscriber adds no demand.
    @inlinable
    public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        self.init(
            ClosureSubscriber(
                onSubscription: receiveSubscription, onValue: receiveValue, onCompletion: receiveCompletion))
    }

    /// The identity of the erased subscriber.
    public var combineIdentifier: CombineIdentifier { box.combineIdentifier }

    /// Forwards the subscription to the erased subscriber.
    @inlinable
    public func receive(subscription: any Subscription) {
        _ = box.respond(box, .subscription(subscription))
    }

    /// Forwards the value to the erased subscriber.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
        box.deliver(box, value)
    }

    /// Forwards the completion to the erased subscriber.
    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
        _ = box.respond(box, .completion(completion))
    }
}

extension AnySubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    /// The description of the erased subscriber, or the name of its type if it has none.
    public var description: String {
        (box.underlying as? any CustomStringConvertible)?.description ?? String(describing: type(of: box.underlying))
    }

    /// The mirror of the erased subscriber, or one without children if it has none.
    public var customMirror: Mirror {
        (box.underlying as? any CustomReflectable)?.customMirror ?? Mirror(box.underlying, children: EmptyCollection())
    }

    /// The playground description of the erased subscriber, or its description if it has none.
    public var playgroundDescription: Any {
        (box.underlying as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
    }
}

/// A signal to a subscriber other than a value, or the request for its identity.
// One closure serves all of them. Values have a closure of their own, so that delivering one needs no enum.
@usableFromInline
enum SubscriberSignal<Failure: Error> {
    case subscription(any Subscription)
    case completion(Subscribers.Completion<Failure>)
    case identify
}

/// The subscriber behind an ``AnySubscriber``.
// The closures are created where the type of the subscriber is known, so that they are specialized. A method that
// overrides one of a generic class would not be.
@usableFromInline
class SubscriberBox<Input, Failure: Error> {
    @usableFromInline final let deliver: (SubscriberBox, Input) -> Subscribers.Demand
    @usableFromInline final let respond: (SubscriberBox, SubscriberSignal<Failure>) -> CombineIdentifier?

    @inlinable
    init(
        deliver: @escaping (SubscriberBox, Input) -> Subscribers.Demand,
        respond: @escaping (SubscriberBox, SubscriberSignal<Failure>) -> CombineIdentifier?
    ) {
        self.deliver = deliver
        self.respond = respond
    }

    final var combineIdentifier: CombineIdentifier {
        respond(self, .identify) ?? CombineIdentifier(self)
    }

    /// The subscriber itself, for descriptions.
    var underlying: Any { self }
}

@usableFromInline
final class TypedSubscriberBox<S: Subscriber>: SubscriberBox<S.Input, S.Failure> {
    @usableFromInline let subscriber: S

    @inlinable
    init(_ subscriber: S) {
        self.subscriber = subscriber
        super.init(
            deliver: { unsafeDowncast($0, to: TypedSubscriberBox<S>.self).subscriber.receive($1) },
            respond: { unsafeDowncast($0, to: TypedSubscriberBox<S>.self).handle($1) })
    }

    override var underlying: Any { subscriber }

    @inlinable
    func handle(_ signal: SubscriberSignal<S.Failure>) -> CombineIdentifier? {
        switch signal {
        case .subscription(let subscription): subscriber.receive(subscription: subscription)
        case .completion(let completion): subscriber.receive(completion: completion)
        case .identify: return subscriber.combineIdentifier
        }
        return nil
    }
}

@usableFromInline
struct ClosureSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
    @usableFromInline let onSubscription: ((any Subscription) -> Void)?
    @usableFromInline let onValue: ((Input) -> Subscribers.Demand)?
    @usableFromInline let onCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    @usableFromInline let combineIdentifier: CombineIdentifier

    @inlinable
    init(
        onSubscription: ((any Subscription) -> Void)?, onValue: ((Input) -> Subscribers.Demand)?,
        onCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    ) {
        self.onSubscription = onSubscription
        self.onValue = onValue
        self.onCompletion = onCompletion
        combineIdentifier = CombineIdentifier()
    }

    @usableFromInline var description: String { "Anonymous AnySubscriber" }

    @inlinable
    func receive(subscription: any Subscription) {
        onSubscription?(subscription)
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        onValue?(input) ?? .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        onCompletion?(completion)
    }
}
