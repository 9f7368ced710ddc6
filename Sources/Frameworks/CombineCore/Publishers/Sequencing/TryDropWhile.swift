extension Publishers {
    /// A publisher that omits the first values, while a closure returns true, and fails if the closure throws.
    public struct TryDropWhile<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// Any error: upstream's, or one that the closure throws.
        public typealias Failure = any Error

        /// The upstream publisher.
        public let upstream: Upstream

        /// The closure that returns whether to omit a value. It is not called again once it has returned false.
        public let predicate: (Upstream.Output) throws -> Bool

        /// Creates the publisher. It does not subscribe to `upstream` until it has a subscriber.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(
                subscriber: TransformationConduit(subscriber, Dropping(predicate: predicate), true).registered())
        }

        @usableFromInline
        struct Dropping: Transformation {
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error

            @usableFromInline let predicate: (Upstream.Output) throws -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) throws -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Bool) throws -> TransformationStep<Upstream.Output, Bool> {
                if memory, try predicate(input) { return .skip(true) }
                return .deliver(input, false)
            }

            @usableFromInline
            func children(_ downstream: Any, _ memory: Bool?) -> [Mirror.Child] {
                []
            }
        }
    }
}

extension Publisher {
    /// Omits the first values for which `predicate` returns true. Fails if `predicate` throws.
    @inlinable
    public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
        Publishers.TryDropWhile(upstream: self, predicate: predicate)
    }
}
