extension Publishers {
    /// Delivers what a closure makes of each value and the result before.
    public struct Scan<Upstream: Publisher, Output>: Publisher {
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// What takes the place of a result before, for the first value.
        public let initialResult: Output

        /// What is made of the result before and a value.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        /// Attaches `subscriber`, which starts from the initial result.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Upstream.Failure == S.Failure {
            upstream.receive(subscriber: Inner(subscriber, initialResult, nextPartialResult))
        }

        /// Needs no lock: a publisher delivers one value at a time. Apple's trusts its upstream in the same way.
        @usableFromInline
        final class Inner<Downstream: Subscriber>: Subscriber, DescribedSubscriber
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline let downstream: Downstream
            @usableFromInline let next: (Output, Upstream.Output) -> Output
            @exclusivity(unchecked) @usableFromInline var result: Output

            @inlinable
            init(_ downstream: Downstream, _ result: Output, _ next: @escaping (Output, Upstream.Output) -> Output) {
                self.downstream = downstream
                self.result = result
                self.next = next
            }

            @usableFromInline var customMirror: Mirror {
                Mirror(self, children: ["downstream": downstream, "result": result])
            }

            @inlinable
            func receive(subscription: any Subscription) {
                downstream.receive(subscription: subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let output = next(result, input)
                result = output
                return downstream.receive(output)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                downstream.receive(completion: completion)
            }
        }
    }
}

extension Publisher {
    /// Delivers what `nextPartialResult` makes of each value and the result before.
    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T)
        -> Publishers.Scan<Self, T>
    {
        Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}
