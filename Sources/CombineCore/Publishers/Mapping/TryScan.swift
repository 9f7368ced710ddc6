extension Publishers {
    /// Delivers what a closure makes of each value and the result before; fails with what the closure throws.
    public struct TryScan<Upstream: Publisher, Output>: Publisher {
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// What takes the place of a result before, for the first value.
        public let initialResult: Output

        /// What is made of the result before and a value.
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        /// Attaches `subscriber`, which starts from the initial result.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(
                subscriber: TransformationConduit(subscriber, Scanning(next: nextPartialResult), initialResult))
        }

        @usableFromInline typealias Result = Output

        @usableFromInline
        @frozen
        struct Scanning: Transformation {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Result
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Memory = Result

            @usableFromInline let next: (Result, Upstream.Output) throws -> Result

            @inlinable
            init(next: @escaping (Result, Upstream.Output) throws -> Result) {
                self.next = next
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Result) -> TransformationStep<Result, any Error, Result> {
                do {
                    let result = try next(memory, input)
                    return .deliver(result, result)
                } catch {
                    return .fail(error)
                }
            }

            @usableFromInline
            func children(_ downstream: Any, _ memory: Result?) -> [Mirror.Child] {
                let status = memory == nil ? "over" : "running"
                return [
                    ("downstream", downstream), ("status", status),
                    ("result", memory.map { $0 as Any } ?? memory as Any),
                ]
            }
        }
    }
}

extension Publisher {
    /// Delivers what `nextPartialResult` makes of each value and the result before; fails with what it throws.
    @inlinable
    public func tryScan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T)
        -> Publishers.TryScan<Self, T>
    {
        Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}
