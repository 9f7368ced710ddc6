public import StateCapture

extension Publishers {
    /// A publisher that replaces a failed upstream with another publisher, or fails with the error that the handler
    /// throws.
    @frozen
    public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        /// The output type of both publishers.
        public typealias Output = Upstream.Output
        /// Any error: the handler can throw.
        public typealias Failure = any Error

        /// The publisher to receive values from until it fails.
        public let upstream: Upstream

        /// Returns the publisher that replaces upstream after the given error.
        public let handler: (Upstream.Failure) throws -> NewPublisher

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where NewPublisher.Output == S.Input, S.Failure == any Error {
            let handler = ThrowingHandler<Upstream.Failure, NewPublisher>(handler)
            let conduit = RecoveryConduit<Self, _, S>(subscriber, handler)
            if let registry = StateRegistry.current { return conduit.start(with: upstream, whileWiring: registry) }
            upstream.receive(subscriber: conduit)
        }
    }
}

extension Publisher {
    /// Replaces this publisher, when it fails, with the one that `handler` returns. Fails with the error that `handler`
    /// throws.
    @inlinable
    public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
    where Output == P.Output {
        Publishers.TryCatch(upstream: self, handler: handler)
    }
}
