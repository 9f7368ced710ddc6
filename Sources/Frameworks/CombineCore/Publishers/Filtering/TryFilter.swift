extension Publishers {
    /// A publisher that drops the values for which a throwing closure returns false.
    public struct TryFilter<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// Any error: the closure can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Returns whether to publish a value.
        public let isIncluded: (Upstream.Output) throws -> Bool

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: TransformationConduit(subscriber, Filtering(isIncluded: isIncluded), ()))
        }

        // Unlike `filter`, this needs a conduit: an error has to end the stream and to cancel upstream.
        @usableFromInline
        struct Filtering: Transformation {
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error

            @usableFromInline let isIncluded: (Upstream.Output) throws -> Bool

            @inlinable
            init(isIncluded: @escaping (Upstream.Output) throws -> Bool) {
                self.isIncluded = isIncluded
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) throws -> TransformationStep<Upstream.Output, Void> {
                // Skipping requests a replacement for the dropped value; bounded subscribers would otherwise starve.
                try isIncluded(input) ? .deliver(input, ()) : .skip(())
            }
        }
    }
}

extension Publisher {
    /// Drops the values for which `isIncluded` returns false. Fails with the error that it throws.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
        Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
    }
}

extension Publishers.Filter {
    /// Drops the values for which one of the closures returns false. Fails with the error that the second one throws.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }
}

extension Publishers.TryFilter {
    /// Drops the values for which one of the closures returns false. Fails with the error that the first one throws.
    @inlinable
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }

    /// Drops the values for which one of the closures returns false. Fails with the error that one of them throws.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }
}
