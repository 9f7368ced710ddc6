/// A subscriber whose type is hidden.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    @usableFromInline let box: SubscriberBox<Input, Failure>

    /// Hides the type of `subscriber`; one that is hidden already is taken as it is.
    @inlinable
    public init<S: Subscriber>(_ subscriber: S) where Input == S.Input, Failure == S.Failure {
        if S.self == AnySubscriber<Input, Failure>.self {
            box = unsafeBitCast(subscriber, to: AnySubscriber<Input, Failure>.self).box
        } else {
            box = TypedSubscriberBox(subscriber)
        }
    }

    /// Makes a subscriber that feeds `subject`.
    @inlinable
    public init<S: Subject>(_ subject: S) where Input == S.Output, Failure == S.Failure {
        self.init(SubjectSubscriber(subject))
    }

    /// Makes a subscriber of closures; a value that `receiveValue` is nil for is answered with no further demand.
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

    /// The identity of the hidden subscriber.
    public var combineIdentifier: CombineIdentifier { box.combineIdentifier }

    /// Passes the subscription to the hidden subscriber.
    @inlinable
    public func receive(subscription: any Subscription) {
        _ = box.respond(box, .subscription(subscription))
    }

    /// Passes the value to the hidden subscriber.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
        box.deliver(box, value)
    }

    /// Passes the completion to the hidden subscriber.
    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
        _ = box.respond(box, .completion(completion))
    }
}

extension AnySubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    /// The description of the hidden subscriber, or the name of its type if it has none.
    public var description: String {
        (box.underlying as? any CustomStringConvertible)?.description ?? String(describing: type(of: box.underlying))
    }

    /// The mirror of the hidden subscriber, or one without children if it has none of its own.
    public var customMirror: Mirror {
        (box.underlying as? any CustomReflectable)?.customMirror ?? Mirror(box.underlying, children: EmptyCollection())
    }

    /// What a playground shows for the hidden subscriber; its description if nothing else is meant for that.
    public var playgroundDescription: Any {
        (box.underlying as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
    }
}

/// Everything but a value that a subscriber can receive, and the question who it is.
@usableFromInline
@frozen
enum SubscriberSignal<Failure: Error> {
    case subscription(any Subscription)
    case completion(Subscribers.Completion<Failure>)
    case identify
}

/// The subscriber behind an ``AnySubscriber``, with functions that were made where its type was known.
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
@frozen
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
