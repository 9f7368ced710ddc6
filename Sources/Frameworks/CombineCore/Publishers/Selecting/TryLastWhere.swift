extension Publishers {
    /// A publisher of the last value that satisfies a throwing condition, published when upstream finishes.
    public struct TryLastWhere<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// Any error: the closure can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The condition that the value must satisfy.
        public let predicate: (Upstream.Output) throws -> Bool

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`. Requests unlimited demand from upstream, and holds the result until downstream
        /// requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            let reduction = SearchReduction<Self, _>(
                ThrowingPredicate<Upstream.Output, Upstream.Failure>(predicate), endsAtMatch: false)
            upstream.receive(subscriber: ReductionConduit(subscriber, reduction).registered())
        }
    }
}

extension Publisher {
    /// Publishes the last value that satisfies `predicate` when this publisher finishes. Fails with the error that it
    /// throws.
    @inlinable
    public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
        Publishers.TryLastWhere(upstream: self, predicate: predicate)
    }
}
