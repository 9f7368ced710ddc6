extension Publishers {
    /// A publisher that omits the first values, while a closure returns true.
    public struct DropWhile<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream

        /// The closure that returns whether to omit a value. It is not called again once it has returned false.
        public let predicate: (Upstream.Output) -> Bool

        /// Creates the publisher. It does not subscribe to `upstream` until it has a subscriber.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(
                subscriber: TransformationConduit(subscriber, Dropping(predicate: predicate), true).registered())
        }

        @usableFromInline
        struct Dropping: Transformation {
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline let predicate: (Upstream.Output) -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Bool) -> TransformationStep<Upstream.Output, Bool> {
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
    /// Omits the first values for which `predicate` returns true.
    @inlinable
    public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
        Publishers.DropWhile(upstream: self, predicate: predicate)
    }
}
