extension Publishers {
    /// A publisher that delivers nothing until it is connected.
    public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        @usableFromInline let inner: Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>

        /// Creates the publisher. It does not subscribe to `upstream` until it is connected.
        @inlinable
        public init(upstream: Upstream) {
            inner = upstream.multicast(subject: PassthroughSubject(uncaptured: ()))
        }

        /// Attaches `subscriber`, which receives values once the publisher is connected.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
            inner.receive(subscriber: subscriber)
        }

        /// Subscribes to upstream for all subscribers, until the returned token is cancelled.
        @inlinable
        public func connect() -> any Cancellable {
            inner.connect()
        }
    }
}

extension Publishers.MakeConnectable: NamedSource {
    /// The name of the multicast that implements this publisher.
    static var subscriptionName: String { "Multicast" }
}

extension Publisher where Failure == Never {
    /// Returns a publisher that waits for a call of `connect()`, so that all subscribers can attach first.
    @inlinable
    public func makeConnectable() -> Publishers.MakeConnectable<Self> {
        Publishers.MakeConnectable(upstream: self)
    }
}
