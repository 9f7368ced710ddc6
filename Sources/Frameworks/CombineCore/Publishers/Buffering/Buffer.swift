extension Publishers {
    /// The way a buffer requests values from upstream.
    public enum PrefetchStrategy: Hashable, Sendable {
        /// Requests as many values as the buffer can hold, and one more for each value that it delivers.
        case keepFull
        /// Requests unlimited demand; values that exceed downstream demand are buffered.
        case byRequest
    }

    /// The policy for a value that arrives while the buffer is full.
    public enum BufferingStrategy<Failure: Error> {
        /// Drops the new value.
        case dropNewest
        /// Drops the oldest value in the buffer.
        case dropOldest
        /// Fails with the closure's error once the requested values have been delivered.
        case customError(() -> Failure)
    }

    /// A publisher that buffers values until downstream requests them.
    public struct Buffer<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of upstream; `customError` can add failures of a full buffer.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The capacity of the buffer, in values.
        public let size: Int

        /// The way values are requested from upstream.
        public let prefetch: Publishers.PrefetchStrategy

        /// The policy for a value that arrives while the buffer is full.
        public let whenFull: Publishers.BufferingStrategy<Upstream.Failure>

        /// Creates the publisher. Nothing runs until a subscriber attaches.
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

        /// Attaches `subscriber`. The first upstream request precedes `receive(subscription:)` downstream.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.receive(subscriber: BufferConduit(subscriber, size, prefetch, whenFull).registered())
        }
    }
}

extension Publisher {
    /// Buffers up to `size` values until downstream requests them.
    ///
    /// A failure is delivered after the requested values. `.finished` waits until the buffer is empty and a further
    /// value has been requested.
    @inlinable
    public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> {
        Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
    }
}
