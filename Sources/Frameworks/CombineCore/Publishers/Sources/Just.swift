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
        if StateRegistry.isWiring {
            OneValueConduit<Just, Output, S>.startWhileWiring(output, subscriber)
        } else {
            subscriber.receive(subscription: OneValueConduit<Just, Output, S>(output, subscriber))
        }
    }
}

extension Just: Equatable where Output: Equatable {}
