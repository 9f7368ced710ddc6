extension Publishers {
    /// Delivers the first values of two publishers together, then the second ones, and so on.
    @frozen
    public struct Zip<A: Publisher, B: Publisher>: Publisher
    where A.Failure == B.Failure {
        /// One value of each publisher.
        public typealias Output = (A.Output, B.Output)
        /// Fails as soon as one of the publishers does.
        public typealias Failure = A.Failure

        /// The first publisher.
        public let a: A

        /// The second publisher.
        public let b: B

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
            let conduit = ZipConduit<Pair<A.Output, B.Output>, S>(subscriber)
            conduit.open()
            a.receive(subscriber: conduit.sideA)
            b.receive(subscriber: conduit.sideB)
        }
    }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}

extension Publisher {
    /// Delivers the first values of this publisher and the others together, then the second ones, and so on.
    @inlinable
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P>
    where Failure == P.Failure {
        Publishers.Zip(self, other)
    }

    /// Delivers the first values of this publisher and the others together, then the second ones, and so on, made into one value by `transform`.
    @inlinable
    public func zip<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, P>, T>
    where Failure == P.Failure {
        Publishers.Zip(self, other).map { transform($0.0, $0.1) }
    }
}
