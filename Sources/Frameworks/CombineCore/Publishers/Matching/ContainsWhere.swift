extension Publishers {
    /// A publisher that reports whether any value satisfies a condition, as soon as the result is known.
    public struct ContainsWhere<Upstream: Publisher>: Publisher {
        /// The Boolean result.
        public typealias Output = Bool
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The condition that each value is tested against.
        public let predicate: (Upstream.Output) -> Bool

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`. Requests unlimited demand from upstream, and holds the result until downstream
        /// requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            let reduction = MatchingReduction<Self, _>(
                TotalPredicate<Upstream.Output, Upstream.Failure>(predicate), decisive: true)
            upstream.receive(subscriber: ReductionConduit(subscriber, reduction).registered())
        }
    }
}

extension Publisher {
    /// Publishes whether any value satisfies `predicate`, as soon as the result is known.
    @inlinable
    public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
        Publishers.ContainsWhere(upstream: self, predicate: predicate)
    }
}
