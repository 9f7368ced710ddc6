extension Publishers {
    /// A publisher that drops all values and forwards only the completion.
    public struct IgnoreOutput<Upstream: Publisher>: Publisher {
        /// No values.
        public typealias Output = Never
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber` and requests unlimited demand from upstream.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(downstream: subscriber))
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassingSubscriber
        where Downstream.Input == Never, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream

            @inlinable
            init(downstream: Downstream) {
                self.downstream = downstream
            }

            @inlinable
            func receive(subscription: any Subscription) {
                downstream.receive(subscription: subscription)
                // Downstream cannot receive a value, so its demand has no meaning.
                subscription.request(.unlimited)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                .none
            }
        }
    }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Drops all values and forwards only the completion.
    @inlinable
    public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
        Publishers.IgnoreOutput(upstream: self)
    }
}
