extension Optional {
    /// A publisher that delivers the value, if there is one, and finishes.
    public var publisher: Publisher {
        Publisher(self)
    }

    /// A publisher that delivers one value, or none, and finishes.
    @frozen
    public struct Publisher: CombineCore.Publisher {
        /// The values are of the optional's type.
        public typealias Output = Wrapped
        /// There is nothing that could fail.
        public typealias Failure = Never

        /// The value that every subscriber gets, if there is one.
        public let output: Wrapped?

        /// Makes a publisher of `output`.
        @inlinable
        public init(_ output: Wrapped?) {
            self.output = output
        }

        /// Attaches `subscriber`, which gets the value as soon as it asks; without a value it gets the completion at once.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Wrapped == S.Input, S.Failure == Never {
            if let output {
                subscriber.receive(subscription: OneValueConduit<Self, Output, S>(output, subscriber))
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
