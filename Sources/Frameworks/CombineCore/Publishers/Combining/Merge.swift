extension Publishers {
    /// A publisher that interleaves the values of two publishers in order of arrival.
    @frozen
    public struct Merge<A: Publisher, B: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure
    {
        /// The output type of the publishers.
        public typealias Output = A.Output
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
            let conduit = MergeConduit(subscriber, count: 2).registered()
            // Downstream gets its subscription first: a synchronous first upstream may deliver, or even cancel, before
            // the second one is subscribed. `accept` then cancels the latter.
            conduit.open()
            a.receive(subscriber: MergeSide(conduit, 0))
            b.receive(subscriber: MergeSide(conduit, 1))
        }
    }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}

extension Publishers.Merge {
    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<C: Publisher>(
        with c: C
    ) -> Publishers.Merge3<A, B, C>
    where
        C.Output == Output, C.Failure == Failure
    {
        Publishers.Merge3(a, b, c)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<C: Publisher, D: Publisher>(
        with c: C, _ d: D
    ) -> Publishers.Merge4<A, B, C, D>
    where
        C.Output == Output, C.Failure == Failure,
        D.Output == Output, D.Failure == Failure
    {
        Publishers.Merge4(a, b, c, d)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<C: Publisher, D: Publisher, E: Publisher>(
        with c: C, _ d: D, _ e: E
    ) -> Publishers.Merge5<A, B, C, D, E>
    where
        C.Output == Output, C.Failure == Failure,
        D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure
    {
        Publishers.Merge5(a, b, c, d, e)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
        with c: C, _ d: D, _ e: E, _ f: F
    ) -> Publishers.Merge6<A, B, C, D, E, F>
    where
        C.Output == Output, C.Failure == Failure,
        D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure,
        F.Output == Output, F.Failure == Failure
    {
        Publishers.Merge6(a, b, c, d, e, f)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
        with c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> Publishers.Merge7<A, B, C, D, E, F, G>
    where
        C.Output == Output, C.Failure == Failure,
        D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure,
        F.Output == Output, F.Failure == Failure,
        G.Output == Output, G.Failure == Failure
    {
        Publishers.Merge7(a, b, c, d, e, f, g)
    }

    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
        with c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Publishers.Merge8<A, B, C, D, E, F, G, H>
    where
        C.Output == Output, C.Failure == Failure,
        D.Output == Output, D.Failure == Failure,
        E.Output == Output, E.Failure == Failure,
        F.Output == Output, F.Failure == Failure,
        G.Output == Output, G.Failure == Failure,
        H.Output == Output, H.Failure == Failure
    {
        Publishers.Merge8(a, b, c, d, e, f, g, h)
    }
}
