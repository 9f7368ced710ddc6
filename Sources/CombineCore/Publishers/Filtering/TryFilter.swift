extension Publishers {
    /// Delivers the values for which a closure says yes; fails with what the closure throws.
    public struct TryFilter<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// Whether a value is delivered.
        public let isIncluded: (Upstream.Output) throws -> Bool

        /// Makes the publisher; nothing happens before somebody subscribes.
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

        @usableFromInline
        @frozen
        struct Filtering: Transformation {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Upstream.Output
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Memory = Void

            @usableFromInline let isIncluded: (Upstream.Output) throws -> Bool

            @inlinable
            init(isIncluded: @escaping (Upstream.Output) throws -> Bool) {
                self.isIncluded = isIncluded
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) -> TransformationStep<Upstream.Output, any Error, Void>
            {
                do {
                    return try isIncluded(input) ? .deliver(input, ()) : .skip(())
                } catch {
                    return .fail(error)
                }
            }
        }
    }
}

extension Publisher {
    /// Delivers the values for which `isIncluded` says yes; fails with what it throws.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
        Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
    }
}

extension Publishers.Filter {
    /// Delivers the values for which both closures say yes; fails with what the second throws.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }
}

extension Publishers.TryFilter {
    /// Delivers the values for which both closures say yes; fails with what the first throws.
    @inlinable
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }

    /// Delivers the values for which both closures say yes; fails with what one of them throws.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }
}
