extension Publishers {
    /// A publisher that drops each value that equals its predecessor, compared by a throwing closure.
    public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// Any error: the closure can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Returns whether two consecutive values are equal; the earlier one is the first argument.
        public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(
                subscriber: TransformationConduit(subscriber, Comparing(predicate: predicate), nil).registered())
        }

        @usableFromInline
        struct Comparing: Transformation {
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error

            @usableFromInline let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Upstream.Output?) throws -> TransformationStep<
                Upstream.Output, Upstream.Output?
            > {
                // The remembered value stays: the next one is compared with the value that was published.
                if let memory, try predicate(memory, input) { return .skip(memory) }
                return .deliver(input, input)
            }

            @usableFromInline
            func children(_ downstream: Any, _ memory: Upstream.Output??) -> [Mirror.Child] {
                [("downstream", downstream), ("last", memory.flatMap { $0 } as Any)]
            }
        }
    }
}

extension Publisher {
    /// Drops each value that equals its predecessor according to `predicate`. Fails with the error that it throws.
    @inlinable
    public func tryRemoveDuplicates(by predicate: @escaping (Output, Output) throws -> Bool)
        -> Publishers.TryRemoveDuplicates<Self>
    {
        Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
    }
}
