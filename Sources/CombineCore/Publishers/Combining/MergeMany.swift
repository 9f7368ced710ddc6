extension Publishers {
    /// Delivers what any number of publishers of one type deliver, as it comes.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// The values are those of the publishers.
        public typealias Output = Upstream.Output
        /// Fails as soon as one of the publishers does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let publishers: [Upstream]

        /// Merges the given publishers.
        @inlinable
        public init(_ upstream: Upstream...) {
            publishers = upstream
        }

        /// Merges the publishers of a sequence; if it is empty, the stream finishes at once.
        @inlinable
        public init<S: Swift.Sequence>(_ upstream: S) where Upstream == S.Element {
            publishers = Array(upstream)
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
            let conduit = MergeConduit(subscriber, count: publishers.count)
            conduit.open()
            if publishers.isEmpty { conduit.finish() }
            for (index, publisher) in publishers.enumerated() {
                publisher.receive(subscriber: MergeSide(conduit, index))
            }
        }

        /// Merges one publisher more.
        @inlinable
        public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
            Publishers.MergeMany(publishers + [other])
        }
    }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
