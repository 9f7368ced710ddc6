extension Publishers {
    /// Delivers whether a value satisfies a closure, as soon as that is certain; fails with what the closure throws.
    public struct TryContainsWhere<Upstream: Publisher>: Publisher {
        /// The one value is the answer.
        public typealias Output = Bool
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// What a value has to satisfy.
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
            upstream.receive(subscriber: ReductionConduit(subscriber, Matching(predicate: predicate)))
        }

        @usableFromInline
        @frozen
        struct Matching: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Bool
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Partial = Bool

            @usableFromInline let predicate: (Upstream.Output) throws -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) throws -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func begin() -> Bool { false }

            @inlinable
            func reduce(_ partial: Bool, _ input: Upstream.Output) -> ReductionStep<Bool, any Error> {
                do {
                    return try predicate(input) ? .decided(true) : .more(false)
                } catch {
                    return .fail(error)
                }
            }
        }
    }
}

extension Publisher {
    /// Delivers whether a value satisfies `predicate`, as soon as that is certain; fails with what it throws.
    @inlinable
    public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
        Publishers.TryContainsWhere(upstream: self, predicate: predicate)
    }
}
