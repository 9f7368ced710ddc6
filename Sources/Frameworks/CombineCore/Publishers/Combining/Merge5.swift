extension Publishers {
    /// A publisher that interleaves the values of five publishers in order of arrival.
    @frozen
    public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure,
        A.Output == C.Output, A.Failure == C.Failure,
        A.Output == D.Output, A.Failure == D.Failure,
        A.Output == E.Output, A.Failure == E.Failure
    {
        /// The output type of the publishers.
        public typealias Output = A.Output
        /// The failure type of the publishers. The first failure ends the stream.
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

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
            let conduit = MergeConduit(subscriber, count: 5).registered()
            conduit.open()
            a.receive(subscriber: MergeSide(conduit, 0))
            b.receive(subscriber: MergeSide(conduit, 1))
            c.receive(subscriber: MergeSide(conduit, 2))
            d.receive(subscriber: MergeSide(conduit, 3))
            e.receive(subscriber: MergeSide(conduit, 4))
        }
    }
}

extension Publishers.Merge5: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}

extension Publishers.Merge5 {
    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<F: Publisher>(
        with f: F
    ) -> Publishers.Merge6<A, B, C, D, E, F>
    where
        F.Output == Output, F.Failure == Failure
    {
        Publishers.Merge6(a, b, c, d, e, f)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<F: Publisher, G: Publisher>(
        with f: F, _ g: G
    ) -> Publishers.Merge7<A, B, C, D, E, F, G>
    where
        F.Output == Output, F.Failure == Failure,
        G.Output == Output, G.Failure == Failure
    {
        Publishers.Merge7(a, b, c, d, e, f, g)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<F: Publisher, G: Publisher, H: Publisher>(
        with f: F, _ g: G, _ h: H
    ) -> Publishers.Merge8<A, B, C, D, E, F, G, H>
    where
        F.Output == Output, F.Failure == Failure,
        G.Output == Output, G.Failure == Failure,
        H.Output == Output, H.Failure == Failure
    {
        Publishers.Merge8(a, b, c, d, e, f, g, h)
    }
}
