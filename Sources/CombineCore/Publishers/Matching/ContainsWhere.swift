extension Publishers {
    /// Delivers whether a value satisfies a closure, as soon as that is certain.
    public struct ContainsWhere<Upstream: Publisher>: Publisher {
        /// The one value is the answer.
        public typealias Output = Bool
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// What a value has to satisfy.
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
            upstream.receive(subscriber: ReductionConduit(subscriber, Matching(predicate: predicate)))
        }

        @usableFromInline
        @frozen
        struct Matching: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Bool
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = Upstream.Failure
            @usableFromInline typealias Partial = Bool

            @usableFromInline let predicate: (Upstream.Output) -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func begin() -> Bool { false }

            @inlinable
            func reduce(_ partial: Bool, _ input: Upstream.Output) -> ReductionStep<Bool, Upstream.Failure> {
                predicate(input) ? .decided(true) : .more(false)
            }
        }
    }
}

extension Publisher {
    /// Delivers whether a value satisfies `predicate`, as soon as that is certain.
    @inlinable
    public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
        Publishers.ContainsWhere(upstream: self, predicate: predicate)
    }
}
