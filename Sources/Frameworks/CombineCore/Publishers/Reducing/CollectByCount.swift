import Locking

extension Publishers {
    /// A publisher that collects values into arrays of a given length; the last one can be shorter.
    public struct CollectByCount<Upstream: Publisher>: Publisher {
        /// An array of values of upstream.
        public typealias Output = [Upstream.Output]
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The length of an array.
        public let count: Int

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, count: Int) {
            self.upstream = upstream
            precondition(count > 0, "The length of an array must be at least 1, got \(count).")
            self.count = count
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(subscriber, count).registered())
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
        where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
            @usableFromInline let count: Int
            /// The values collected so far. Accessed inside the gate, and released after the end.
            @exclusivity(unchecked) @usableFromInline var values: [Upstream.Output] = []

            @inlinable
            init(_ downstream: Downstream, _ count: Int) {
                self.count = count
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
                    more.requirePositive()
                    // One array downstream takes `count` values; the product saturates at unlimited.
                    requestUpstream(more * count)
                case .cancel: endAndCancel()
                case .drainPending:
                    guard demand.isEnded else { return }
                    downstream = nil
                    values = []
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                begin(subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                guard hasBegun, !demand.isEnded, let downstream else { return .none }
                values.append(input)
                // The values of a whole array were requested with the array, so a partial one needs no further demand.
                guard values.count >= count else { return .none }
                // Taken out before the call: a value delivered from inside belongs to the next array.
                return downstream.receive(takeValues()) * count
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                defer { exit(outermost) }
                guard !demand.isEnded else { return }
                takeUpstream()
                // The last, shorter array is delivered without a demand check, as in Combine; a failure drops it.
                if case .finished = completion, !values.isEmpty {
                    _ = downstream?.receive(takeValues())
                }
                complete(completion)
            }

            @inlinable
            func takeValues() -> [Upstream.Output] {
                let taken = values
                values = []
                // Bounded: a large count must not reserve memory for values that may never arrive.
                values.reserveCapacity(Swift.min(count, 1024))
                return taken
            }

            @usableFromInline override var customMirror: Mirror {
                mirror([
                    ("downstream", downstream as Any), ("upstreamSubscription", lock.withLock { upstream } as Any),
                    ("buffer", values), ("count", count),
                ])
            }
        }
    }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Collects values into arrays of `count`; the last one can be shorter. Traps if `count` is less than 1.
    ///
    /// A demand for one array becomes a demand for `count` values upstream.
    @inlinable
    public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
        Publishers.CollectByCount(upstream: self, count: count)
    }
}
