extension Publishers {
    /// Delivers what a closure makes of all values, one after the other, when upstream finishes; fails with what the closure throws.
    public struct TryReduce<Upstream: Publisher, Output>: Publisher {
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// What takes the place of a result before, for the first value.
        public let initial: Output

        /// What is made of the result before and a value.
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
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
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Partial = Result

            @usableFromInline let initial: Result
            @usableFromInline let next: (Result, Upstream.Output) throws -> Result

            @inlinable
            init(initial: Result, next: @escaping (Result, Upstream.Output) throws -> Result) {
                self.initial = initial
                self.next = next
            }

            @inlinable
            func begin() -> Result { initial }

            @inlinable
            func reduce(_ partial: Result, _ input: Upstream.Output) -> ReductionStep<Result, any Error> {
                do {
                    return .more(try next(partial, input))
                } catch {
                    return .fail(error)
                }
            }
        }
    }
}

extension Publisher {
    /// Delivers what `nextPartialResult` makes of all values, starting from `initialResult`; fails with what it throws.
    @inlinable
    public func tryReduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T)
        -> Publishers.TryReduce<Self, T>
    {
        Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}
