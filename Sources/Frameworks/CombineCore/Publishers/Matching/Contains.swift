extension Publishers {
    /// A publisher that reports whether any value equals a given one, as soon as the result is known.
    public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
        /// The Boolean result.
        public typealias Output = Bool
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The value to look for.
        public let output: Upstream.Output

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        /// Attaches `subscriber`. Requests unlimited demand from upstream, and holds the result until downstream
        /// requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            let reduction = MatchingReduction<Self, _>(
                EqualityPredicate<Upstream.Output, Upstream.Failure>(output), decisive: true)
            upstream.receive(subscriber: ReductionConduit(subscriber, reduction).registered())
        }
    }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publisher where Output: Equatable {
    /// Publishes whether any value equals `output`, as soon as the result is known.
    @inlinable
    public func contains(_ output: Output) -> Publishers.Contains<Self> {
        Publishers.Contains(upstream: self, output: output)
    }
}
