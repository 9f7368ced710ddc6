public import StateCapture

extension Optional {
    /// A publisher that delivers the value, if any, and finishes.
    public var publisher: Publisher {
        Publisher(self)
    }

    /// A publisher that delivers at most one value and finishes.
    @frozen
    public struct Publisher: CombineCore.Publisher {
        /// The type of the value.
        public typealias Output = Wrapped
        /// The publisher never fails.
        public typealias Failure = Never

        /// The value that every subscriber receives, if any.
        public let output: Wrapped?

        /// Creates a publisher of `output`.
        @inlinable
        public init(_ output: Wrapped?) {
            self.output = output
        }

        /// Attaches `subscriber`, which receives the value on its first request. Without a value, it receives the
        /// completion immediately.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Wrapped == S.Input, S.Failure == Never {
            if let output {
                if StateRegistry.isWiring {
                    OneValueConduit<Self, Output, S>.startWhileWiring(output, subscriber)
                } else {
                    subscriber.receive(subscription: OneValueConduit<Self, Output, S>(output, subscriber))
                }
            } else {
                subscriber.receive(subscription: Subscriptions.empty)
                subscriber.receive(completion: .finished)
            }
        }
    }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

extension Optional.Publisher: NamedSource {
    static var subscriptionName: String { "Optional" }
}
