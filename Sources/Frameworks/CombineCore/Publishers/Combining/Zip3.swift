extension Publishers {
    /// A publisher that pairs the values of three publishers by position.
    @frozen
    public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
        /// A tuple with one value of each publisher.
        public typealias Output = (A.Output, B.Output, C.Output)
        /// The failure type of the publishers. The first failure ends the stream.
        public typealias Failure = A.Failure

        /// The first publisher.
        public let a: A

        /// The second publisher.
        public let b: B

        /// The third publisher.
        public let c: C

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
            let conduit = ZipConduit<Triple<A.Output, B.Output, C.Output>, S>(subscriber).registered()
            // Downstream gets its subscription first, as in Combine: a synchronous upstream would otherwise deliver
            // before it.
            conduit.open()
            a.receive(subscriber: conduit.sideA)
            b.receive(subscriber: conduit.sideB)
            c.receive(subscriber: conduit.sideC)
        }
    }
}

extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publisher {
    /// Pairs the values of this publisher and the others by position, and publishes the tuples.
    @inlinable
    public func zip<P: Publisher, Q: Publisher>(_ publisher1: P, _ publisher2: Q) -> Publishers.Zip3<Self, P, Q>
    where Failure == P.Failure, P.Failure == Q.Failure {
        Publishers.Zip3(self, publisher1, publisher2)
    }

    /// Pairs the values of this publisher and the others by position, and publishes the result of `transform` for each
    /// tuple.
    @inlinable
    public func zip<P: Publisher, Q: Publisher, T>(
        _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
    where Failure == P.Failure, P.Failure == Q.Failure {
        Publishers.Zip3(self, publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
    }
}
