extension Publishers {
    /// A publisher that reports whether any value satisfies a throwing condition, as soon as the result is known.
    public struct TryContainsWhere<Upstream: Publisher>: Publisher {
        /// The Boolean result.
        public typealias Output = Bool
        /// Any error: the closure can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The condition that each value is tested against.
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
            let reduction = MatchingReduction<Self, _>(
                ThrowingPredicate<Upstream.Output, Upstream.Failure>(predicate), decisive: true)
            upstream.receive(subscriber: ReductionConduit(subscriber, reduction).registered())
        }
    }
}

extension Publisher {
    /// Publishes whether any value satisfies `predicate`, as soon as the result is known. Fails with the error that it
    /// throws.
    @inlinable
    public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
        Publishers.TryContainsWhere(upstream: self, predicate: predicate)
    }
}
