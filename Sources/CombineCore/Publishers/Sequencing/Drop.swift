extension Publishers {
    /// Leaves out the first values.
    @frozen
    public struct Drop<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How many values are left out.
        public let count: Int

        /// Leaves out the first `count` values of `upstream`; a negative count traps.
        @inlinable
        public init(upstream: Upstream, count: Int) {
            precondition(count >= 0, "The number of values to leave out cannot be negative, but is \(count).")
            self.upstream = upstream
            self.count = count
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(downstream: subscriber, count: count))
        }

        /// Needs no lock: a publisher delivers one value at a time.
        @usableFromInline
        final class Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline let downstream: Downstream
            @exclusivity(unchecked) @usableFromInline var count: Int

            @inlinable
            init(downstream: Downstream, count: Int) {
                self.downstream = downstream
                self.count = count
            }

            @inlinable
            func receive(subscription: any Subscription) {
                downstream.receive(subscription: subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                if count > 0 {
                    count -= 1
                    return .max(1)
                }
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                downstream.receive(completion: completion)
            }
        }
    }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Leaves out the first `count` values.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
        Publishers.Drop(upstream: self, count: count)
    }
}
