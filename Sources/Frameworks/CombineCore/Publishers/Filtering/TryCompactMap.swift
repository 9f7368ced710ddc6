extension Publishers {
    /// A publisher that transforms each value with a throwing closure and drops nil results.
    public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
        /// Any error: the closure can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The closure that transforms each value, or returns nil to drop it.
        public let transform: (Upstream.Output) throws -> Output?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: TransformationConduit(subscriber, Mapping(transform: transform), ()))
        }

        @usableFromInline typealias Result = Output

        @usableFromInline
        struct Mapping: Transformation {
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error

            @usableFromInline let transform: (Upstream.Output) throws -> Result?

            @inlinable
            init(transform: @escaping (Upstream.Output) throws -> Result?) {
                self.transform = transform
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) throws -> TransformationStep<Result, Void> {
                // Skipping requests a replacement for the dropped value; bounded subscribers would otherwise starve.
                guard let output = try transform(input) else { return .skip(()) }
                return .deliver(output, ())
            }
        }
    }
}

extension Publisher {
    /// Transforms each value with `transform` and drops nil results. Fails with the error that it throws.
    @inlinable
    public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Self, T> {
        Publishers.TryCompactMap(upstream: self, transform: transform)
    }
}

extension Publishers.TryCompactMap {
    /// Transforms each value with both closures in turn, and drops it if one returns nil. Fails with the error that one
    /// throws.
    @inlinable
    public func compactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Upstream, T> {
        let first = self.transform
        return Publishers.TryCompactMap<Upstream, T>(upstream: upstream) { try first($0).flatMap(transform) }
    }
}
