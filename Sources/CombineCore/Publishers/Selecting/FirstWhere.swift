extension Publishers {
    /// Delivers the first value that satisfies a closure and finishes.
    public struct FirstWhere<Upstream: Publisher>: Publisher {
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
                predicate(input) ? .decided(input) : .more(nil)
            }
        }
    }
}

extension Publisher {
    /// Delivers the first value that satisfies `predicate` and finishes.
    @inlinable
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        Publishers.FirstWhere(upstream: self, predicate: predicate)
    }
}

extension Publishers.FirstWhere.Searching: NamedSource {
    @usableFromInline static var subscriptionName: String { "TryFirst" }
}
