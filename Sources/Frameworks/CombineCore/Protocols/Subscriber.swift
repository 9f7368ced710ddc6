/// A type that receives values from a publisher, as many as it requests.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// The type of the values.
    associatedtype Input

    /// The type of the error that may end the stream.
    associatedtype Failure: Error

    /// Receives the subscription, once and before anything else.
    func receive(subscription: any Subscription)

    /// Receives a value.
    ///
    /// - Returns: The additional demand, which is added to all demand requested before.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Receives the completion. Nothing follows it.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    /// Receives an event without a value.
    ///
    /// - Returns: The additional demand, which is added to all demand requested before.
    @inlinable
    public func receive() -> Subscribers.Demand {
        receive(())
    }
}

/// A namespace for types that act as subscribers.
public enum Subscribers {}
