public import StateCapture

extension Publishers {
    /// A publisher that creates a publisher for each value, and publishes the values of all these publishers.
    @frozen
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
    where NewPublisher.Failure == Upstream.Failure {
        /// The output type of the created publishers.
        public typealias Output = NewPublisher.Output
        /// The failure type of upstream and the created publishers. The first failure ends the stream.
        public typealias Failure = Upstream.Failure

        /// The publisher whose values are turned into publishers.
        public let upstream: Upstream

        /// The maximum number of concurrent subscriptions to created publishers.
        public let maxPublishers: Subscribers.Demand

        /// The closure that creates a publisher for a value.
        public let transform: (Upstream.Output) -> NewPublisher

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, maxPublishers: Subscribers.Demand,
            transform: @escaping (Upstream.Output) -> NewPublisher
        ) {
            self.upstream = upstream
            self.maxPublishers = maxPublishers
            self.transform = transform
        }

        /// Attaches `subscriber`, which receives its subscription before the subscription to upstream is made.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            if StateRegistry.isWiring { return receiveWhileWiring(subscriber) }
            start(subscriber)
        }

        /// Attaches a subscriber of a machine that is being wired.
        // Never inlined, so that the code of other subscriptions contains no more than a branch.
        @inlinable
        @inline(never)
        func receiveWhileWiring<S: Subscriber>(_ subscriber: S) where Output == S.Input, Failure == S.Failure {
            if !startCaptured(subscriber) { start(subscriber) }
        }

        @inlinable
        @inline(__always)
        func start<S: Subscriber>(_ subscriber: S) where Output == S.Input, Failure == S.Failure {
            let conduit = FlatMapConduit(subscriber, maxPublishers, transform)
            // Downstream gets its subscription first, as in Combine: a synchronous upstream would otherwise deliver
            // before it.
            conduit.open()
            upstream.receive(subscriber: conduit)
            // From here on, values arrive in calls from upstream's own source, which limits how deeply they nest;
            // counting would add a cost to every value.
            conduit.endStarting()
        }
    }
}

extension Publisher {
    /// Creates a publisher for each value, and publishes the values of all these publishers.
    ///
    /// At most `maxPublishers` publishers are subscribed at a time. When one of them finishes, another value is
    /// requested.
    ///
    /// In a session that is restored, the closure is called again with the values whose publishers were subscribed, so it
    /// should only create a publisher. Work that such a publisher had begun is not repeated: a `Future` or a request
    /// finishes without a result.
    @inlinable
    public func flatMap<T, P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where T == P.Output, Failure == P.Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    /// Creates a publisher, which cannot fail, for each value, and publishes the values of all these publishers.
    @inlinable
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
        flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Publisher where Failure == Never {
    /// Creates a publisher, which can fail, for each value, and publishes the values of all these publishers.
    @inlinable
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }

    /// Creates a publisher for each value, and publishes the values of all these publishers. Nothing can fail.
    @inlinable
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}
