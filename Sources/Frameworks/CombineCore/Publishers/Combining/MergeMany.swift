extension Publishers {
    /// A publisher that interleaves the values of any number of publishers of one type.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// The output type of the publishers.
        public typealias Output = Upstream.Output
        /// The failure type of the publishers. The first failure ends the stream.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let publishers: [Upstream]

        /// Creates a publisher that merges the given publishers.
        @inlinable
        public init(_ upstream: Upstream...) {
            publishers = upstream
        }

        /// Creates a publisher that merges the publishers of a sequence. An empty sequence finishes immediately.
        @inlinable
        public init<S: Swift.Sequence>(_ upstream: S) where Upstream == S.Element {
            publishers = Array(upstream)
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
            let conduit = MergeConduit(subscriber, count: publishers.count).registered()
            // Downstream gets its subscription first, as in Combine: a synchronous upstream would otherwise deliver
            // before it.
            conduit.open()
            // Without upstreams, nothing would ever report a completion.
            if publishers.isEmpty { conduit.finish() }
            for (index, publisher) in publishers.enumerated() {
                publisher.receive(subscriber: MergeSide(conduit, index))
            }
        }

        /// Returns a publisher that also merges `other`.
        @inlinable
        public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
            Publishers.MergeMany(publishers + [other])
        }
    }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
