extension Publishers {
    /// Leaves out the first values, as long as a closure says so.
    public struct DropWhile<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Whether a value is left out; not asked any more once it has said no.
        public let predicate: (Upstream.Output) -> Bool

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
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
            @usableFromInline typealias Failure = Upstream.Failure
            @usableFromInline typealias Memory = Bool

            @usableFromInline let predicate: (Upstream.Output) -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Bool) -> TransformationStep<
                Upstream.Output, Upstream.Failure, Bool
            > {
                if memory, predicate(input) { return .skip(true) }
                return .deliver(input, false)
            }

            @usableFromInline
            func children(_ downstream: Any, _ memory: Bool?) -> [Mirror.Child] {
                []
            }
        }
    }
}

extension Publisher {
    /// Leaves out the first values for which `predicate` says yes.
    @inlinable
    public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
        Publishers.DropWhile(upstream: self, predicate: predicate)
    }
}
