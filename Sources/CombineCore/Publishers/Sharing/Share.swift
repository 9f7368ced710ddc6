extension Publishers {
    /// Lets several subscribers share one subscription to upstream.
    ///
    /// Upstream is subscribed to for the first subscriber and cancelled after the last; a subscriber that comes after
    /// that starts it again. Once upstream has completed, later subscribers get its completion only.
    public final class Share<Upstream: Publisher>: Publisher, Equatable {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        @usableFromInline typealias Inner =
            Autoconnect<Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>>

        @usableFromInline let inner: Inner

        /// Where the values come from.
        public final let upstream: Upstream

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
            inner = upstream.multicast(subject: PassthroughSubject()).autoconnect()
        }

        /// Attaches `subscriber`.
        @inlinable
        public final func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            inner.receive(subscriber: subscriber)
        }

        /// Whether both are the same object.
        public static func == (lhs: Share, rhs: Share) -> Bool {
            lhs === rhs
        }
    }
}

extension Publisher {
    /// Lets several subscribers share one subscription to this publisher.
    @inlinable
    public func share() -> Publishers.Share<Self> {
        Publishers.Share(upstream: self)
    }
}
