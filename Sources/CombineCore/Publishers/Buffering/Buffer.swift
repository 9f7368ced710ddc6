extension Publishers {
    /// How a buffer asks upstream for values.
    public enum PrefetchStrategy: Hashable, Sendable {
        /// Asks for as many values as the buffer has room for, at once, and for another one in place of each delivered.
        case keepFull
        /// Asks for everything at once; what comes without demand is buffered.
        case byRequest
    }

    /// What happens to a value that a buffer has no room for.
    public enum BufferingStrategy<Failure: Error> {
        /// The value is left out.
        case dropNewest
        /// The oldest value in the buffer is left out.
        case dropOldest
        /// The stream fails, after what is in the buffer, with what the closure makes.
        case customError(() -> Failure)
    }

    /// Keeps values until downstream asks for them.
    public struct Buffer<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does, or when the buffer is full.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How many values the buffer has room for.
        public let size: Int

        /// How upstream is asked for values.
        public let prefetch: Publishers.PrefetchStrategy

        /// What happens to a value that there is no room for.
        public let whenFull: Publishers.BufferingStrategy<Upstream.Failure>

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, size: Int, prefetch: Publishers.PrefetchStrategy,
            whenFull: Publishers.BufferingStrategy<Upstream.Failure>
        ) {
            self.upstream = upstream
            self.size = size
            self.prefetch = prefetch
            self.whenFull = whenFull
        }

        /// Attaches `subscriber`; upstream is asked before the subscriber is told.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.receive(subscriber: BufferConduit(subscriber, size, prefetch, whenFull))
        }
    }
}

extension Publisher {
    /// Keeps up to `size` values until they are asked for.
    ///
    /// A failure waits behind the values in the buffer; a finish waits until there is demand once more.
    @inlinable
    public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> {
        Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
    }
}
