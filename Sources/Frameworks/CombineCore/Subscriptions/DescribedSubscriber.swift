/// A subscriber between two conduits that describes itself by the name of its operator.
@usableFromInline
protocol DescribedSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {}

extension DescribedSubscriber {
    /// The name of the operator.
    @usableFromInline var description: String { LinkName.of(Self.self) }

    @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    @usableFromInline var playgroundDescription: Any { description }
}

/// The subscriber of an operator without a conduit: downstream receives upstream's own subscription.
///
/// It forwards what the operator does not change.
// Usually a value type: a chain of such steps compiles to one specialized call, without locks, allocations or metadata look-ups
// per value.
@usableFromInline
protocol PassingSubscriber: Subscriber, DescribedSubscriber {
    associatedtype Downstream: Subscriber

    var downstream: Downstream { get }
}

extension PassingSubscriber {
    @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    @inlinable
    func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
    }
}

extension PassingSubscriber where Downstream.Input == Input {
    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        downstream.receive(input)
    }
}

extension PassingSubscriber where Downstream.Failure == Failure {
    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: completion)
    }
}
