extension Publishers {
    /// A publisher of the number of values, published when upstream finishes.
    public struct Count<Upstream: Publisher>: Publisher {
        /// The number of values.
        public typealias Output = Int
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`. Requests unlimited demand from upstream, and holds the result until downstream
        /// requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: ReductionConduit(subscriber, Counting()).registered())
        }

        @usableFromInline
        struct Counting: Reduction {
            @usableFromInline typealias Failure = Upstream.Failure

            @inlinable
            init() {}

            @inlinable
            func begin() -> Int { 0 }

            @inlinable
            func reduce(_ partial: Int, _ input: Upstream.Output) -> ReductionStep<Int> {
                .more(partial + 1)
            }
        }
    }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Publishes the number of values when this publisher finishes.
    @inlinable
    public func count() -> Publishers.Count<Self> {
        Publishers.Count(upstream: self)
    }
}
