extension Publishers {
    /// A publisher that reports whether all values satisfy a condition, as soon as the result is known.
    public struct AllSatisfy<Upstream: Publisher>: Publisher {
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
                TotalPredicate<Upstream.Output, Upstream.Failure>(predicate), decisive: false)
            upstream.receive(subscriber: ReductionConduit(subscriber, reduction).registered())
        }
    }
}

extension Publisher {
    /// Publishes whether all values satisfy `predicate`, as soon as the result is known.
    @inlinable
    public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
        Publishers.AllSatisfy(upstream: self, predicate: predicate)
    }
}
