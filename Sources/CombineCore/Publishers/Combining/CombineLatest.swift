extension Publishers {
    /// Delivers the latest values of two publishers, whenever one of them delivers.
    @frozen
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
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
            let conduit = LatestConduit<Pair<A.Output, B.Output>, S>(subscriber)
            conduit.open()
            a.receive(subscriber: conduit.sideA)
            b.receive(subscriber: conduit.sideB)
        }
    }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}

extension Publisher {
    /// Delivers the latest values of this publisher and the others, whenever one of them delivers.
    @inlinable
    public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
    where Failure == P.Failure {
        Publishers.CombineLatest(self, other)
    }

    /// Delivers the latest values of this publisher and the others, whenever one of them delivers, made into one value by `transform`.
    @inlinable
    public func combineLatest<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
    where Failure == P.Failure {
        Publishers.CombineLatest(self, other).map { transform($0.0, $0.1) }
    }
}
