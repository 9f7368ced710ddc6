extension Publishers {
    /// Leaves out each value that equals the one before it.
    @frozen
    public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Whether two values in a row are equal; the earlier one comes first.
        public let predicate: (Upstream.Output, Upstream.Output) -> Bool

        /// Compares the values of `upstream` by `predicate`.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(downstream: subscriber, predicate: predicate))
        }

        /// Needs no lock: a publisher delivers one value at a time.
        @usableFromInline
        final class Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline let downstream: Downstream
            @usableFromInline let predicate: (Upstream.Output, Upstream.Output) -> Bool
            @exclusivity(unchecked) @usableFromInline var previous: Upstream.Output?

            @inlinable
            init(downstream: Downstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
                self.downstream = downstream
                self.predicate = predicate
            }

            @inlinable
            func receive(subscription: any Subscription) {
                downstream.receive(subscription: subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                if let previous, predicate(previous, input) { return .max(1) }
                previous = input
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                downstream.receive(completion: completion)
            }
        }
    }
}

extension Publisher where Output: Equatable {
    /// Leaves out each value that equals the one before it.
    @inlinable
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
        removeDuplicates(by: ==)
    }
}

extension Publisher {
    /// Leaves out each value of which `predicate` says that it equals the one before it.
    @inlinable
    public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool)
        -> Publishers.RemoveDuplicates<Self>
    {
        Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
    }
}
