extension Publishers {
    /// A publisher that interleaves the values of three publishers in order of arrival.
    @frozen
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure,
        A.Output == C.Output, A.Failure == C.Failure
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
            let conduit = MergeConduit(subscriber, count: 3).registered()
            conduit.open()
            a.receive(subscriber: MergeSide(conduit, 0))
            b.receive(subscriber: MergeSide(conduit, 1))
            c.receive(subscriber: MergeSide(conduit, 2))
        }
    }
}

extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.Merge3 {
    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<D: Publisher>(
        with d: D
    ) -> Publishers.Merge4<A, B, C, D>
    where
        D.Output == Output, D.Failure == Failure
    {
        Publishers.Merge4(a, b, c, d)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<D: Publisher, E: Publisher>(
        with d: D, _ e: E
    ) -> Publishers.Merge5<A, B, C, D, E>
    where
        D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure
    {
        Publishers.Merge5(a, b, c, d, e)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<D: Publisher, E: Publisher, F: Publisher>(
        with d: D, _ e: E, _ f: F
    ) -> Publishers.Merge6<A, B, C, D, E, F>
    where
        D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure,
        F.Output == Output, F.Failure == Failure
    {
        Publishers.Merge6(a, b, c, d, e, f)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
        with d: D, _ e: E, _ f: F, _ g: G
    ) -> Publishers.Merge7<A, B, C, D, E, F, G>
    where
        D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure,
        F.Output == Output, F.Failure == Failure,
        G.Output == Output, G.Failure == Failure
    {
        Publishers.Merge7(a, b, c, d, e, f, g)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
        with d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Publishers.Merge8<A, B, C, D, E, F, G, H>
    where
        D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure,
        F.Output == Output, F.Failure == Failure,
        G.Output == Output, G.Failure == Failure,
        H.Output == Output, H.Failure == Failure
    {
        Publishers.Merge8(a, b, c, d, e, f, g, h)
    }
}
