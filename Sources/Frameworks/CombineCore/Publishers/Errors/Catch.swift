public import StateCapture

extension Publishers {
    /// A publisher that replaces a failed upstream with another publisher.
    @frozen
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        /// The output type of both publishers.
        public typealias Output = Upstream.Output
        /// The failure type of the replacement publisher.
        public typealias Failure = NewPublisher.Failure

        /// The publisher to receive values from until it fails.
        public let upstream: Upstream

        /// Returns the publisher that replaces upstream after the given error.
        public let handler: (Upstream.Failure) -> NewPublisher

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where NewPublisher.Failure == S.Failure, NewPublisher.Output == S.Input {
            let handler = TotalHandler<Upstream.Failure, NewPublisher>(handler)
            let conduit = RecoveryConduit<Self, _, S>(subscriber, handler)
            if let registry = StateRegistry.current { return conduit.start(with: upstream, whileWiring: registry) }
            upstream.receive(subscriber: conduit)
        }
    }
}

extension Publisher {
    /// Replaces this publisher, when it fails, with the one that `handler` returns for the error.
    @inlinable
    public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
    where Output == P.Output {
        Publishers.Catch(upstream: self, handler: handler)
    }
}
