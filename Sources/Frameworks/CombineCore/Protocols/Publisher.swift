/// A type that delivers a sequence of values over time to its subscribers.
///
/// A conforming type implements ``receive(subscriber:)``. Callers use `subscribe(_:)` or one of the operators.
public protocol Publisher<Output, Failure> {
    /// The type of the values.
    associatedtype Output

    /// The type of the error that may end the stream; `Never` if it cannot fail.
    associatedtype Failure: Error

    /// Attaches `subscriber`. It receives one subscription first, then at most as many values as it requests, then at
    /// most one completion.
    func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input
}

extension Publisher {
    /// Attaches `subscriber` to this publisher.
    @inlinable
    public func subscribe<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
        receive(subscriber: subscriber)
    }

    /// Sends all values and the completion to `subject`, until the returned token is cancelled.
    @inlinable
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where Failure == S.Failure, Output == S.Output {
        let subscriber = SubjectSubscriber(subject)
        attach(subscriber)
        return AnyCancellable(subscriber)
    }
}

/// A namespace for types that act as publishers.
public enum Publishers {}
