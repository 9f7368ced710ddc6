extension Publishers {
    /// A publisher whose subscribers share one subscription to upstream.
    ///
    /// It subscribes to upstream for the first subscriber and cancels after the last one. A later subscriber causes a
    /// new subscription to upstream. Once upstream has completed, later subscribers receive only its completion.
    public final class Share<Upstream: Publisher>: Publisher, Equatable {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        @usableFromInline typealias Inner =
            Autoconnect<Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>>

        @usableFromInline let inner: Inner

        /// The upstream publisher.
        public final let upstream: Upstream

        /// Creates the publisher. It does not subscribe to `upstream` until it has a subscriber.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
            inner = upstream.multicast(subject: PassthroughSubject(uncaptured: ())).autoconnect()
        }

        /// Attaches `subscriber`.
        @inlinable
        public final func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            inner.receive(subscriber: subscriber)
        }

        /// Returns whether both are the same object.
        public static func == (lhs: Share, rhs: Share) -> Bool {
            lhs === rhs
        }
    }
}

extension Publisher {
    /// Returns a publisher whose subscribers share one subscription to this publisher.
    @inlinable
    public func share() -> Publishers.Share<Self> {
        Publishers.Share(upstream: self)
    }
}
