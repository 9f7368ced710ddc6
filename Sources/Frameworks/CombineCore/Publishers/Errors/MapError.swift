extension Publishers {
    /// A publisher that transforms the error of upstream.
    @frozen
    public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The closure that transforms the error.
        public let transform: (Upstream.Failure) -> Failure

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
            self.init(upstream: upstream, transform: map)
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(downstream: subscriber, transform: transform))
        }

        // Inside `Inner`, `Failure` is the requirement of `Subscriber` and hides the publisher's parameter.
        @usableFromInline typealias NewFailure = Failure

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassingSubscriber
        where Downstream.Input == Output, Downstream.Failure == NewFailure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let transform: (Upstream.Failure) -> NewFailure

            @inlinable
            init(downstream: Downstream, transform: @escaping (Upstream.Failure) -> NewFailure) {
                self.downstream = downstream
                self.transform = transform
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                downstream.receive(completion: completion.mapError(transform))
            }
        }
    }
}

extension Publisher {
    /// Transforms the error of this publisher with `transform`.
    @inlinable
    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
        Publishers.MapError(upstream: self, transform: transform)
    }
}
