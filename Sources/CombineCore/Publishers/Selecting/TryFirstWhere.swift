extension Publishers {
    /// Delivers the first value that satisfies a closure and finishes; fails with what the closure throws.
    public struct TryFirstWhere<Upstream: Publisher>: Publisher {
        /// The value is one of upstream's.
        public typealias Output = Upstream.Output
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// What the value has to satisfy.
        public let predicate: (Upstream.Output) throws -> Bool

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`; upstream is asked for everything at once, and the result waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: ReductionConduit(subscriber, Searching(predicate: predicate)))
        }

        @usableFromInline
        @frozen
        struct Searching: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Upstream.Output
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Partial = Upstream.Output?

            @usableFromInline let predicate: (Upstream.Output) throws -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) throws -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func reduce(_ partial: Upstream.Output?, _ input: Upstream.Output) -> ReductionStep<
                Upstream.Output?, any Error
            > {
                do {
                    return try predicate(input) ? .decided(input) : .more(nil)
                } catch {
                    return .fail(error)
                }
            }
        }
    }
}

extension Publisher {
    /// Delivers the first value that satisfies `predicate` and finishes; fails with what it throws.
    @inlinable
    public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
        Publishers.TryFirstWhere(upstream: self, predicate: predicate)
    }
}
