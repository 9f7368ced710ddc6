/// A publisher that fails as soon as somebody subscribes.
@frozen
public struct Fail<Output, Failure: Error>: Publisher {
    /// What every subscriber is told.
    public let error: Failure

    /// Makes a publisher that fails with `error`.
    @inlinable
    public init(error: Failure) {
        self.error = error
    }

    /// Makes a publisher of the given value type that fails with `failure`.
    @inlinable
    public init(outputType: Output.Type, failure: Failure) {
        error = failure
    }

    /// Attaches `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

extension Fail: Equatable where Failure: Equatable {}
