extension Publishers {
    /// Delivers whether a value equals a given one, as soon as that is certain.
    public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
        /// The one value is the answer.
        public typealias Output = Bool
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// What a value has to equal.
        public let output: Upstream.Output

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        /// Attaches `subscriber`; upstream is asked for everything at once, and the result waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: ReductionConduit(subscriber, Matching(output: output)))
        }

        @usableFromInline
        @frozen
        struct Matching: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Bool
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = Upstream.Failure
            @usableFromInline typealias Partial = Bool

            @usableFromInline let output: Upstream.Output

            @inlinable
            init(output: Upstream.Output) {
                self.output = output
            }

            @inlinable
            func begin() -> Bool { false }

            @inlinable
            func reduce(_ partial: Bool, _ input: Upstream.Output) -> ReductionStep<Bool, Upstream.Failure> {
                input == output ? .decided(true) : .more(false)
            }
        }
    }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publisher where Output: Equatable {
    /// Delivers whether a value equals `output`, as soon as that is certain.
    @inlinable
    public func contains(_ output: Output) -> Publishers.Contains<Self> {
        Publishers.Contains(upstream: self, output: output)
    }
}
