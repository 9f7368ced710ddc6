extension Publishers {
    /// A publisher of the greatest value in an order, published when upstream finishes.
    public struct Comparison<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Returns whether the first value is ordered before the second.
        public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.areInIncreasingOrder = areInIncreasingOrder
        }

        /// Attaches `subscriber`. Requests unlimited demand from upstream, and holds the result until downstream
        /// requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            let reduction = ComparisonReduction<Self, _, Upstream.Output>(
                TotalOrder<Upstream.Output, Upstream.Failure>(areInIncreasingOrder))
            upstream.receive(subscriber: ReductionConduit(subscriber, reduction).registered())
        }
    }
}

extension Publisher {
    /// Publishes the least value, ordered by `areInIncreasingOrder`, when this publisher finishes.
    @inlinable
    public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
        // With the arguments exchanged, the greatest value is the least one, so one reduction serves both.
        Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
    }

    /// Publishes the greatest value, ordered by `areInIncreasingOrder`, when this publisher finishes.
    @inlinable
    public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
        Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }
}

extension Publisher where Output: Comparable {
    /// Publishes the least value when this publisher finishes.
    @inlinable
    public func min() -> Publishers.Comparison<Self> {
        min(by: <)
    }

    /// Publishes the greatest value when this publisher finishes.
    @inlinable
    public func max() -> Publishers.Comparison<Self> {
        max(by: <)
    }
}
