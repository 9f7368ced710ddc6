/// A type that can deliver a sequence of values over time to those who subscribe to it.
///
/// A conforming type implements ``receive(subscriber:)``; users call ``subscribe(_:)-(S)`` or one of the operators.
public protocol Publisher<Output, Failure> {
    /// The kind of values that are delivered.
    associatedtype Output

    /// The kind of errors the stream may end with; `Never` if it cannot fail.
    associatedtype Failure: Error

    /// Attaches `subscriber`: it gets one subscription first, then what it asks for, then at most one completion.
    func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input
}

extension Publisher {
    /// Attaches `subscriber` to this publisher.
    @inlinable
    public func subscribe<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
        receive(subscriber: subscriber)
    }

    /// Feeds everything, the completion included, into `subject`, until the returned token is cancelled.
    @inlinable
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where Failure == S.Failure, Output == S.Output {
        let subscriber = SubjectSubscriber(subject)
        receive(subscriber: subscriber)
        return AnyCancellable(subscriber)
    }
}
