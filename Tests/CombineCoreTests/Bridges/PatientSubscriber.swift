import CombineCore

/// A subscriber that collects values and requests none by itself.
final class PatientSubscriber<Input>: Subscriber {
    typealias Failure = Never

    private(set) var subscription: (any Subscription)?
    private(set) var values: [Input] = []
    /// The demand returned for each value.
    var more = Subscribers.Demand.none
    /// A closure called with each value.
    var react: (Input) -> Void = { _ in }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        values.append(input)
        react(input)
        return more
    }

    func receive(completion: Subscribers.Completion<Never>) {}
}
