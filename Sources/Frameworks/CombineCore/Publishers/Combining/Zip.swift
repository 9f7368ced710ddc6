extension Publishers {
    /// A publisher that pairs the values of two publishers by position.
    @frozen
    public struct Zip<A: Publisher, B: Publisher>: Publisher
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
            let conduit = ZipConduit<Pair<A.Output, B.Output>, S>(subscriber).registered()
            // Downstream gets its subscription first, as in Combine: a synchronous upstream would otherwise deliver
            // before it.
            conduit.open()
            a.receive(subscriber: conduit.sideA)
            b.receive(subscriber: conduit.sideB)
        }
    }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}

extension Publisher {
    /// Pairs the values of this publisher and the others by position, and publishes the tuples.
    @inlinable
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P>
    where Failure == P.Failure {
        Publishers.Zip(self, other)
    }

    /// Pairs the values of this publisher and the others by position, and publishes the result of `transform` for each
    /// tuple.
    @inlinable
    public func zip<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, P>, T>
    where Failure == P.Failure {
        Publishers.Zip(self, other).map { transform($0.0, $0.1) }
    }
}
