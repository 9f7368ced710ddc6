extension Publishers {
    /// A publisher of the greatest value in an order that a throwing closure defines, published when upstream finishes.
    public struct TryComparison<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// Any error: the closure can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Returns whether the first value is ordered before the second.
        public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
        ) {
            self.upstream = upstream
            self.areInIncreasingOrder = areInIncreasingOrder
        }

        /// Attaches `subscriber`. Requests unlimited demand from upstream, and holds the result until downstream
        /// requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            let reduction = ComparisonReduction<Self, _, Upstream.Output>(
                ThrowingOrder<Upstream.Output, Upstream.Failure>(areInIncreasingOrder))
            upstream.receive(subscriber: ReductionConduit(subscriber, reduction).registered())
        }
    }
}

extension Publisher {
    /// Publishes the least value, ordered by `areInIncreasingOrder`, when this publisher finishes. Fails with the error
    /// that `areInIncreasingOrder` throws.
    @inlinable
    public func tryMin(by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool)
        -> Publishers.TryComparison<Self>
    {
        // With the arguments exchanged, the greatest value is the least one, so one reduction serves both.
        Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
    }

    /// Publishes the greatest value, ordered by `areInIncreasingOrder`, when this publisher finishes. Fails with the
    /// error that `areInIncreasingOrder` throws.
    @inlinable
    public func tryMax(by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool)
        -> Publishers.TryComparison<Self>
    {
        Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }
}
