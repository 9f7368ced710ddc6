extension Publishers {
    /// A publisher that adds a failure type to a publisher that cannot fail.
    @frozen
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(downstream: subscriber))
        }

        // Inside `Inner`, `Failure` is the requirement of `Subscriber` and hides the publisher's parameter.
        @usableFromInline typealias NewFailure = Failure

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassingSubscriber
        where Downstream.Input == Output, Downstream.Failure == NewFailure {
            @usableFromInline let downstream: Downstream

            @inlinable
            init(downstream: Downstream) {
                self.downstream = downstream
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                switch completion {
                // The failure type is `Never`, so the compiler accepts the switch without a case for failures.
                case .finished: downstream.receive(completion: .finished)
                }
            }
        }
    }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publisher where Failure == Never {
    /// Changes the failure type, so that the publisher can be combined with publishers that can fail.
    @inlinable
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        Publishers.SetFailureType(upstream: self)
    }
}

extension Publishers.SetFailureType {
    /// Changes the failure type again.
    @inlinable
    public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
        Publishers.SetFailureType<Upstream, E>(upstream: upstream)
    }
}
