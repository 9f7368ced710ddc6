extension Publishers {
    /// A publisher that delivers the first values, while a closure returns true, and then finishes. It fails if the
    /// closure throws.
    public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// Any error: upstream's, or one that the closure throws.
        public typealias Failure = any Error

        /// The upstream publisher.
        public let upstream: Upstream

        /// The closure that returns whether to deliver a value. The first false finishes the stream.
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
            upstream.receive(subscriber: TransformationConduit(subscriber, Taking(predicate: predicate), ()))
        }

        @usableFromInline
        struct Taking: Transformation {
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error

            @usableFromInline let predicate: (Upstream.Output) throws -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) throws -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) throws -> TransformationStep<Upstream.Output, Void> {
                try predicate(input) ? .deliver(input, ()) : .finish
            }
        }
    }
}

extension Publisher {
    /// Delivers the first values for which `predicate` returns true, and then finishes. Fails if `predicate` throws.
    @inlinable
    public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self> {
        Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
    }
}
