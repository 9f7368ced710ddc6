extension Publishers {
    /// A publisher that combines each value with the previous result by a throwing closure, and publishes every result.
    public struct TryScan<Upstream: Publisher, Output>: Publisher {
        /// Any error: the closure can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The result that the first value is combined with.
        public let initialResult: Output

        /// The closure that combines the previous result and a value into the next result.
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        /// Attaches `subscriber`. Each subscription starts from the initial result.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(
                subscriber: TransformationConduit(subscriber, Scanning(next: nextPartialResult), initialResult)
                    .registered())
        }

        // Inside `Scanning`, `Output` is the requirement of `Transformation` and hides the publisher's parameter.
        @usableFromInline typealias Result = Output

        @usableFromInline
        struct Scanning: Transformation {
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error

            @usableFromInline let next: (Result, Upstream.Output) throws -> Result

            @inlinable
            init(next: @escaping (Result, Upstream.Output) throws -> Result) {
                self.next = next
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Result) throws -> TransformationStep<Result, Result> {
                let result = try next(memory, input)
                // The result is both the next value and the memory; the conduit stores it before it delivers.
                return .deliver(result, result)
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
    /// Combines each value with the previous result, starting from `initialResult`, and publishes every result. Fails
    /// with the error that `nextPartialResult` throws.
    @inlinable
    public func tryScan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T)
        -> Publishers.TryScan<Self, T>
    {
        Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}
