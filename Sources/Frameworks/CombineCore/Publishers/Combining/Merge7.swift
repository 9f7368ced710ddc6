extension Publishers {
    /// A publisher that interleaves the values of seven publishers in order of arrival.
    @frozen
    public struct Merge7<
        A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
    >: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure,
        A.Output == C.Output, A.Failure == C.Failure,
        A.Output == D.Output, A.Failure == D.Failure,
        A.Output == E.Output, A.Failure == E.Failure,
        A.Output == F.Output, A.Failure == F.Failure,
        A.Output == G.Output, A.Failure == G.Failure
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

        /// The sixth publisher.
        public let f: F

        /// The seventh publisher.
        public let g: G

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
            self.g = g
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
            let conduit = MergeConduit(subscriber, count: 7).registered()
            conduit.open()
            a.receive(subscriber: MergeSide(conduit, 0))
            b.receive(subscriber: MergeSide(conduit, 1))
            c.receive(subscriber: MergeSide(conduit, 2))
            d.receive(subscriber: MergeSide(conduit, 3))
            e.receive(subscriber: MergeSide(conduit, 4))
            f.receive(subscriber: MergeSide(conduit, 5))
            g.receive(subscriber: MergeSide(conduit, 6))
        }
    }
}

extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}

extension Publishers.Merge7 {
    /// Interleaves the values of the merged publishers with those of the given ones.
    @inlinable
    public func merge<H: Publisher>(
        with h: H
    ) -> Publishers.Merge8<A, B, C, D, E, F, G, H>
    where
        H.Output == Output, H.Failure == Failure
    {
        Publishers.Merge8(a, b, c, d, e, f, g, h)
    }
}
