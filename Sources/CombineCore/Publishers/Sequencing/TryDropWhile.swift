extension Publishers {
    /// Leaves out the first values, as long as a closure says so; fails with what the closure throws.
    public struct TryDropWhile<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// Whether a value is left out; not asked any more once it has said no.
        public let predicate: (Upstream.Output) throws -> Bool

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: TransformationConduit(subscriber, Dropping(predicate: predicate), true))
        }

        @usableFromInline
        @frozen
        struct Dropping: Transformation {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Upstream.Output
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Memory = Bool

            @usableFromInline let predicate: (Upstream.Output) throws -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) throws -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Bool) -> TransformationStep<Upstream.Output, any Error, Bool>
            {
                if !memory { return .deliver(input, false) }
                do {
                    return try predicate(input) ? .skip(true) : .deliver(input, false)
                } catch {
                    return .fail(error)
                }
            }

            @usableFromInline
            func children(_ downstream: Any, _ memory: Bool?) -> [Mirror.Child] {
                []
            }
        }
    }
}

extension Publisher {
    /// Leaves out the first values for which `predicate` says yes; fails with what it throws.
    @inlinable
    public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
        Publishers.TryDropWhile(upstream: self, predicate: predicate)
    }
}
