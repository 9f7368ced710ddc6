extension Publishers {
    /// Delivers what a closure makes of each value, unless that is nil; fails with what the closure throws.
    public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// What is made of a value; nil leaves it out.
        public let transform: (Upstream.Output) throws -> Output?

        /// Makes the publisher; nothing happens before somebody subscribes.
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
        @frozen
        struct Mapping: Transformation {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Result
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Memory = Void

            @usableFromInline let transform: (Upstream.Output) throws -> Result?

            @inlinable
            init(transform: @escaping (Upstream.Output) throws -> Result?) {
                self.transform = transform
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) -> TransformationStep<Result, any Error, Void> {
                do {
                    guard let output = try transform(input) else { return .skip(()) }
                    return .deliver(output, ())
                } catch {
                    return .fail(error)
                }
            }
        }
    }
}

extension Publisher {
    /// Delivers what `transform` makes of each value, unless that is nil; fails with what it throws.
    @inlinable
    public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Self, T> {
        Publishers.TryCompactMap(upstream: self, transform: transform)
    }
}

extension Publishers.TryCompactMap {
    /// Delivers what both closures together make of each value, unless one of them answers nil; fails with what they throw.
    @inlinable
    public func compactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Upstream, T> {
        let first = self.transform
        return Publishers.TryCompactMap<Upstream, T>(upstream: upstream) { try first($0).flatMap(transform) }
    }
}
