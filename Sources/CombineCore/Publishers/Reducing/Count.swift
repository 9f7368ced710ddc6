extension Publishers {
    /// Delivers the number of values when upstream finishes.
    public struct Count<Upstream: Publisher>: Publisher {
        /// A number of values.
        public typealias Output = Int
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`; upstream is asked for everything at once, and the result waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: ReductionConduit(subscriber, Counting()))
        }

        @usableFromInline
        @frozen
        struct Counting: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Int
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = Upstream.Failure
            @usableFromInline typealias Partial = Int

            @inlinable
            init() {}

            @inlinable
            func begin() -> Int { 0 }

            @inlinable
            func reduce(_ partial: Int, _ input: Upstream.Output) -> ReductionStep<Int, Upstream.Failure> {
                .more(partial + 1)
            }
        }
    }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Delivers the number of values when this publisher finishes.
    @inlinable
    public func count() -> Publishers.Count<Self> {
        Publishers.Count(upstream: self)
    }
}
