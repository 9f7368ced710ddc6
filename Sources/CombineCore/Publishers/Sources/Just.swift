/// A publisher that delivers one value and finishes.
@frozen
public struct Just<Output>: Publisher {
    /// There is nothing that could fail.
    public typealias Failure = Never

    /// The value that every subscriber gets.
    public let output: Output

    /// Makes a publisher of `output`.
    @inlinable
    public init(_ output: Output) {
        self.output = output
    }

    /// Attaches `subscriber`, which gets the value and the completion as soon as it asks.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.receive(subscription: OneValueConduit<Just, Output, S>(output, subscriber))
    }
}

extension Just: Equatable where Output: Equatable {}
