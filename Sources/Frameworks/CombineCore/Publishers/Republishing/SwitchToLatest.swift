public import StateCapture

extension Publishers {
    /// A publisher of the values of the latest publisher that upstream has published.
    @frozen
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
    where P == Upstream.Output, P.Failure == Upstream.Failure {
        /// The output type of the publishers that upstream publishes.
        public typealias Output = P.Output
        /// The failure type of upstream and its publishers. The first failure ends the stream.
        public typealias Failure = P.Failure

        /// The publisher of the publishers.
        public let upstream: Upstream

        /// Creates a publisher that follows the latest publisher of `upstream`.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where P.Output == S.Input, Upstream.Failure == S.Failure {
            if StateRegistry.isWiring { return receiveWhileWiring(subscriber) }
            start(subscriber)
        }

        /// Attaches a subscriber of a machine that is being wired.
        // Never inlined, so that the code of other subscriptions contains no more than a branch.
        @inlinable
        @inline(never)
        func receiveWhileWiring<S: Subscriber>(_ subscriber: S)
        where P.Output == S.Input, Upstream.Failure == S.Failure {
            if !startCaptured(subscriber) { start(subscriber) }
        }

        @inlinable
        @inline(__always)
        func start<S: Subscriber>(_ subscriber: S) where P.Output == S.Input, Upstream.Failure == S.Failure {
            let conduit = SwitchConduit<P, S>(subscriber)
            conduit.open()
            upstream.receive(subscriber: conduit)
            // From here on, publishers arrive in calls from upstream's own source, which limits how deeply they nest;
            // counting would add a cost to every value.
            conduit.endStarting()
        }
    }
}

extension Publisher where Output: Publisher, Failure == Output.Failure {
    /// Publishes the values of the latest publisher that this one has published, and cancels the previous one.
    ///
    /// Use it directly after the `map` that creates the publishers. In a session that is restored, the closure of `map` is
    /// then called again with the value of the latest publisher, as with `flatMap`. A machine in which publishers come from
    /// elsewhere, such as a subject, cannot be captured.
    @inlinable
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
        Publishers.SwitchToLatest(upstream: self)
    }
}

extension Publisher where Failure == Never, Output: Publisher {
    /// Publishes the values of the latest publisher that this one has published, and cancels the previous one.
    ///
    /// The inner publishers can fail; this one cannot.
    @inlinable
    public func switchToLatest()
        -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
    {
        Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
    }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
    /// Publishes the values of the latest publisher that this one has published, and cancels the previous one.
    ///
    /// Neither this publisher nor the inner ones can fail.
    @inlinable
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
        Publishers.SwitchToLatest(upstream: self)
    }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
    /// Publishes the values of the latest publisher that this one has published, and cancels the previous one.
    ///
    /// This publisher can fail; the inner ones cannot.
    @inlinable
    public func switchToLatest()
        -> Publishers.SwitchToLatest<
            Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
        >
    {
        Publishers.SwitchToLatest(upstream: map { $0.setFailureType(to: Failure.self) })
    }
}
