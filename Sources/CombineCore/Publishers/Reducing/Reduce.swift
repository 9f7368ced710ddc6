extension Publishers {
    /// Delivers what a closure makes of all values, one after the other, when upstream finishes.
    public struct Reduce<Upstream: Publisher, Output>: Publisher {
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// What takes the place of a result before, for the first value.
        public let initial: Output

        /// What is made of the result before and a value.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initial = initial
            self.nextPartialResult = nextPartialResult
        }

        /// Attaches `subscriber`; upstream is asked for everything at once, and the result waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(
                subscriber: ReductionConduit(subscriber, Reducing(initial: initial, next: nextPartialResult)))
        }

        @usableFromInline typealias Result = Output

        @usableFromInline
        @frozen
        struct Reducing: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Result
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = Upstream.Failure
            @usableFromInline typealias Partial = Result

            @usableFromInline let initial: Result
            @usableFromInline let next: (Result, Upstream.Output) -> Result

            @inlinable
            init(initial: Result, next: @escaping (Result, Upstream.Output) -> Result) {
                self.initial = initial
                self.next = next
            }

            @inlinable
            func begin() -> Result { initial }

            @inlinable
            func reduce(_ partial: Result, _ input: Upstream.Output) -> ReductionStep<Result, Upstream.Failure> {
                .more(next(partial, input))
            }
        }
    }
}

extension Publisher {
    /// Delivers what `nextPartialResult` makes of all values, starting from `initialResult`.
    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T)
        -> Publishers.Reduce<Self, T>
    {
        Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}
