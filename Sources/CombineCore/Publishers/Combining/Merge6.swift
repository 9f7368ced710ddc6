extension Publishers {
    /// Delivers what six publishers deliver, as it comes.
    @frozen
    public struct Merge6<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure,
        A.Output == C.Output, A.Failure == C.Failure,
        A.Output == D.Output, A.Failure == D.Failure,
        A.Output == E.Output, A.Failure == E.Failure,
        A.Output == F.Output, A.Failure == F.Failure
    {
        /// The values are those of the publishers.
        public typealias Output = A.Output
        /// Fails as soon as one of the publishers does.
        public typealias Failure = A.Failure

        /// The first publisher.
        public let a: A

        /// The second publisher.
        public let b: B

        /// The third publisher.
        public let c: C

        /// The fourth publisher.
        public let d: D

        /// The fifth publisher.
        public let e: E

        /// The sixth publisher.
        public let f: F

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
            let conduit = MergeConduit(subscriber, count: 6)
            conduit.open()
            a.receive(subscriber: MergeSide(conduit, 0))
            b.receive(subscriber: MergeSide(conduit, 1))
            c.receive(subscriber: MergeSide(conduit, 2))
            d.receive(subscriber: MergeSide(conduit, 3))
            e.receive(subscriber: MergeSide(conduit, 4))
            f.receive(subscriber: MergeSide(conduit, 5))
        }
    }
}

extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}

extension Publishers.Merge6 {
    /// Delivers what the publishers of this one and the others deliver, as it comes.
    @inlinable
    public func merge<G: Publisher>(
        with g: G
    ) -> Publishers.Merge7<A, B, C, D, E, F, G>
    where
        G.Output == Output, G.Failure == Failure
    {
        Publishers.Merge7(a, b, c, d, e, f, g)
    }

    /// Delivers what the publishers of this one and the others deliver, as it comes.
    @inlinable
    public func merge<G: Publisher, H: Publisher>(
        with g: G, _ h: H
    ) -> Publishers.Merge8<A, B, C, D, E, F, G, H>
    where
        G.Output == Output, G.Failure == Failure,
        H.Output == Output, H.Failure == Failure
    {
        Publishers.Merge8(a, b, c, d, e, f, g, h)
    }
}
