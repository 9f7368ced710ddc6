/// A publisher that fails as soon as it has a subscriber.
@frozen
public struct Fail<Output, Failure: Error>: Publisher {
    /// The error with which it fails.
    public let error: Failure

    /// Creates a publisher that fails with `error`.
    @inlinable
    public init(error: Failure) {
        self.error = error
    }

    /// Creates a publisher with the given output type that fails with `failure`.
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
