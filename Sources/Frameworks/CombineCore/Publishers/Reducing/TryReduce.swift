extension Publishers {
    /// A publisher that combines all values into one result by a throwing closure, published when upstream finishes.
    public struct TryReduce<Upstream: Publisher, Output>: Publisher {
        /// Any error: the closure can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The result that the first value is combined with.
        public let initial: Output

        /// The closure that combines the previous result and a value into the next result.
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
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
                initial, ThrowingStep<Output, Upstream.Output, Upstream.Failure>(nextPartialResult))
            upstream.receive(subscriber: ReductionConduit(subscriber, reduction).registered())
        }
    }
}

extension Publisher {
    /// Combines all values, starting from `initialResult`, and publishes the result when this publisher finishes. Fails
    /// with the error that `nextPartialResult` throws.
    @inlinable
    public func tryReduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T)
        -> Publishers.TryReduce<Self, T>
    {
        Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}
