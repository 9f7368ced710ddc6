extension Publishers {
    /// A publisher that interleaves the values of four publishers in order of arrival.
    @frozen
    public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure,
        A.Output == C.Output, A.Failure == C.Failure,
        A.Output == D.Output, A.Failure == D.Failure
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

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
            let conduit = MergeConduit(subscriber, count: 4).registered()
            conduit.open()
            a.receive(subscriber: MergeSide(conduit, 0))
            b.receive(subscriber: MergeSide(conduit, 1))
            c.receive(subscriber: MergeSide(conduit, 2))
            d.receive(subscriber: MergeSide(conduit, 3))
        }
    }
}

extension Publishers.Merge4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publishers.Merge4 {
    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<E: Publisher>(
        with e: E
    ) -> Publishers.Merge5<A, B, C, D, E>
    where
        E.Output == Output, E.Failure == Failure
    {
        Publishers.Merge5(a, b, c, d, e)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<E: Publisher, F: Publisher>(
        with e: E, _ f: F
    ) -> Publishers.Merge6<A, B, C, D, E, F>
    where
        E.Output == Output, E.Failure == Failure,
        F.Output == Output, F.Failure == Failure
    {
        Publishers.Merge6(a, b, c, d, e, f)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<E: Publisher, F: Publisher, G: Publisher>(
        with e: E, _ f: F, _ g: G
    ) -> Publishers.Merge7<A, B, C, D, E, F, G>
    where
        E.Output == Output, E.Failure == Failure,
        F.Output == Output, F.Failure == Failure,
        G.Output == Output, G.Failure == Failure
    {
        Publishers.Merge7(a, b, c, d, e, f, g)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
        with e: E, _ f: F, _ g: G, _ h: H
    ) -> Publishers.Merge8<A, B, C, D, E, F, G, H>
    where
        E.Output == Output, E.Failure == Failure,
        F.Output == Output, F.Failure == Failure,
        G.Output == Output, G.Failure == Failure,
        H.Output == Output, H.Failure == Failure
    {
        Publishers.Merge8(a, b, c, d, e, f, g, h)
    }
}
