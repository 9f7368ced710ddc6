/// A type that takes values from a publisher, as many as it asks for.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// The kind of values that are taken.
    associatedtype Input

    /// The kind of errors that may end the stream.
    associatedtype Failure: Error

    /// Tells that the subscription stands; comes before anything else, once.
    func receive(subscription: any Subscription)

    /// Takes a value.
    ///
    /// - Returns: How many more values are wanted, on top of everything that was asked for before.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Tells that the stream has ended; nothing follows.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    /// Takes an event that carries no value.
    ///
    /// - Returns: How many more events are wanted, on top of everything that was asked for before.
    @inlinable
    public func receive() -> Subscribers.Demand {
        receive(())
    }
}
