extension Publishers {
    /// Delivers the last value that satisfies a closure when upstream finishes.
    public struct LastWhere<Upstream: Publisher>: Publisher {
        /// The value is one of upstream's.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// What the value has to satisfy.
        public let predicate: (Upstream.Output) -> Bool

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`; upstream is asked for everything at once, and the result waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: ReductionConduit(subscriber, Searching(predicate: predicate)))
        }

        @usableFromInline
        @frozen
        struct Searching: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Upstream.Output
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = Upstream.Failure
            @usableFromInline typealias Partial = Upstream.Output?

            @usableFromInline let predicate: (Upstream.Output) -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func reduce(_ partial: Upstream.Output?, _ input: Upstream.Output) -> ReductionStep<
                Upstream.Output?, Upstream.Failure
            > {
                .more(predicate(input) ? input : partial)
            }
        }
    }
}

extension Publisher {
    /// Delivers the last value that satisfies `predicate` when this publisher finishes.
    @inlinable
    public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
        Publishers.LastWhere(upstream: self, predicate: predicate)
    }
}
