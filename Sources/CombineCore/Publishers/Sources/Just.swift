public import StateCapture

/// A publisher that delivers one value and finishes.
@frozen
public struct Just<Output>: Publisher {
    /// The publisher never fails.
    public typealias Failure = Never

    /// The value that every subscriber receives.
    public let output: Output

    /// Creates a publisher of `output`.
    @inlinable
    public init(_ output: Output) {
        self.output = output
    }

    /// Attaches `subscriber`, which receives the value and the completion on its first request.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        let conduit = OneValueConduit<Just, Output, S>(output, subscriber)
        if StateRegistry.isWiring, conduit.postpone(subscriber) { return }
        subscriber.receive(subscription: conduit)
    }
}

extension Just: Equatable where Output: Equatable {}
