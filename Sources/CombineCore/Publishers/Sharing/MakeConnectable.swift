extension Publishers {
    /// Holds a publisher back until it is connected.
    public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        @usableFromInline let inner: Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>

        /// Makes the publisher; nothing happens before somebody connects.
        @inlinable
        public init(upstream: Upstream) {
            inner = upstream.multicast(subject: PassthroughSubject())
        }

        /// Attaches `subscriber`, which gets values once somebody connects.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
            inner.receive(subscriber: subscriber)
        }

        /// Subscribes to upstream on behalf of all subscribers, until the token is cancelled.
        @inlinable
        public func connect() -> any Cancellable {
            inner.connect()
        }
    }
}

extension Publishers.MakeConnectable: NamedSource {
    /// A multicast is behind it.
    static var subscriptionName: String { "Multicast" }
}

extension Publisher where Failure == Never {
    /// Holds this publisher back until somebody calls `connect()`, so that all subscribers can attach first.
    @inlinable
    public func makeConnectable() -> Publishers.MakeConnectable<Self> {
        Publishers.MakeConnectable(upstream: self)
    }
}
