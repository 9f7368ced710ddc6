extension Publishers {
    /// A publisher of tuples of the latest values of two publishers, whenever one of them publishes.
    @frozen
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
    where A.Failure == B.Failure {
        /// A tuple with one value of each publisher.
        public typealias Output = (A.Output, B.Output)
        /// The failure type of the publishers. The first failure ends the stream.
        public typealias Failure = A.Failure

        /// The first publisher.
        public let a: A

        /// The second publisher.
        public let b: B

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
            let conduit = LatestConduit<Pair<A.Output, B.Output>, S>(subscriber).registered()
            // Downstream gets its subscription first, as in Combine: a synchronous upstream would otherwise deliver
            // before it.
            conduit.open()
            a.receive(subscriber: conduit.sideA)
            b.receive(subscriber: conduit.sideB)
        }
    }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}

extension Publisher {
    /// Publishes a tuple of the latest values of this publisher and the others, whenever one of them publishes.
    @inlinable
    public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
    where Failure == P.Failure {
        Publishers.CombineLatest(self, other)
    }

    /// Publishes the result of `transform` for the latest values of this publisher and the others, whenever one of them
    /// publishes.
    @inlinable
    public func combineLatest<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
    where Failure == P.Failure {
        Publishers.CombineLatest(self, other).map { transform($0.0, $0.1) }
    }
}
