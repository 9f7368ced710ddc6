extension Publishers {
    /// Delivers the last value when upstream finishes.
    public struct Last<Upstream: Publisher>: Publisher {
        /// The value is one of upstream's.
        public typealias Output = Upstream.Output
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
            upstream.receive(subscriber: ReductionConduit(subscriber, Keeping()))
        }

        @usableFromInline
        @frozen
        struct Keeping: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Upstream.Output
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = Upstream.Failure
            @usableFromInline typealias Partial = Upstream.Output?

            @inlinable
            init() {}

            @inlinable
            func reduce(_ partial: Upstream.Output?, _ input: Upstream.Output) -> ReductionStep<
                Upstream.Output?, Upstream.Failure
            > {
                .more(input)
            }
        }
    }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Delivers the last value when this publisher finishes.
    @inlinable
    public func last() -> Publishers.Last<Self> {
        Publishers.Last(upstream: self)
    }
}
