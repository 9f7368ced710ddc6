extension Publishers {
    /// A publisher that combines all values into one result, published when upstream finishes.
    public struct Reduce<Upstream: Publisher, Output>: Publisher {
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The result that the first value is combined with.
        public let initial: Output

        /// The closure that combines the previous result and a value into the next result.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initial = initial
            self.nextPartialResult = nextPartialResult
        }

        /// Attaches `subscriber`. Requests unlimited demand from upstream, and holds the result until downstream
        /// requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            let reduction = StepReduction<Self, _, Output, Upstream.Output>(
                initial, TotalStep<Output, Upstream.Output, Upstream.Failure>(nextPartialResult))
            upstream.receive(subscriber: ReductionConduit(subscriber, reduction).registered())
        }
    }
}

extension Publisher {
    /// Combines all values, starting from `initialResult`, and publishes the result when this publisher finishes.
    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T)
        -> Publishers.Reduce<Self, T>
    {
        Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}
