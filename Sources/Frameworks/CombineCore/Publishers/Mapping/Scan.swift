extension Publishers {
    /// A publisher that combines each value with the previous result and publishes every result.
    public struct Scan<Upstream: Publisher, Output>: Publisher {
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The result that the first value is combined with.
        public let initialResult: Output

        /// The closure that combines the previous result and a value into the next result.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        /// Attaches `subscriber`. Each subscription starts from the initial result.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Upstream.Failure == S.Failure {
            upstream.receive(subscriber: Inner(subscriber, initialResult, nextPartialResult).registered())
        }

        /// The subscriber behind `scan`. It is not a conduit: the downstream receives upstream's own subscription.
        @usableFromInline
        final class Inner<Downstream: Subscriber>: PassingSubscriber
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let next: (Output, Upstream.Output) -> Output
            // Unguarded: publishers deliver one value at a time, and Combine relies on its upstream in the same way. A
            // class, because the subscriber is copied as it is passed up the chain, and the result must be shared.
            @exclusivity(unchecked) @usableFromInline var result: Output

            @inlinable
            init(_ downstream: Downstream, _ result: Output, _ next: @escaping (Output, Upstream.Output) -> Output) {
                self.downstream = downstream
                self.result = result
                self.next = next
            }

            @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

            @usableFromInline var customMirror: Mirror {
                Mirror(self, children: ["downstream": downstream, "result": result])
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let output = next(result, input)
                // Stored before the call: a value delivered from inside must build on this result.
                result = output
                return downstream.receive(output)
            }
        }
    }
}

extension Publisher {
    /// Combines each value with the previous result, starting from `initialResult`, and publishes every result.
    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T)
        -> Publishers.Scan<Self, T>
    {
        Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}
