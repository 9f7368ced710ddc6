extension Publishers {
    /// A publisher that delivers the first values, while a closure returns true, and then finishes.
    public struct PrefixWhile<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream

        /// The closure that returns whether to deliver a value. The first false finishes the stream.
        public let predicate: (Upstream.Output) -> Bool

        /// Creates the publisher. It does not subscribe to `upstream` until it has a subscriber.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
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
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline let predicate: (Upstream.Output) -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) -> TransformationStep<Upstream.Output, Void> {
                predicate(input) ? .deliver(input, ()) : .finish
            }
        }
    }
}

extension Publisher {
    /// Delivers the first values for which `predicate` returns true, and then finishes.
    @inlinable
    public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
        Publishers.PrefixWhile(upstream: self, predicate: predicate)
    }
}
