import Locking

extension Publishers {
    /// Delivers the values in arrays of a given length; the last one may be shorter.
    public struct CollectByCount<Upstream: Publisher>: Publisher {
        /// As many values of upstream as go into an array.
        public typealias Output = [Upstream.Output]
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How many values an array has.
        public let count: Int

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, count: Int) {
            self.upstream = upstream
            precondition(count > 0, "An array of values needs room for at least one, but has room for \(count).")
            self.count = count
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(subscriber, count))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
        where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline let count: Int
            /// What has been gathered; used inside the gate, and let go of after the end.
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
                guard values.count >= count else { return .none }
                return downstream.receive(takeValues()) * count
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                defer { exit(outermost) }
                guard !demand.isEnded else { return }
                takeUpstream()
                if case .finished = completion, !values.isEmpty {
                    _ = downstream?.receive(takeValues())
                }
                complete(completion)
            }

            @inlinable
            func takeValues() -> [Upstream.Output] {
                let taken = values
                values = []
                values.reserveCapacity(Swift.min(count, 1024))
                return taken
            }

            @usableFromInline override var customMirror: Mirror {
                Mirror(
                    self,
                    children: [
                        "downstream": downstream as Any, "upstreamSubscription": lock.withLock { upstream } as Any,
                        "buffer": values, "count": count,
                    ] as KeyValuePairs<String, Any>)
            }
        }
    }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Delivers the values in arrays of `count`; the last one may be shorter. A count below one traps.
    ///
    /// A demand for one array is a demand for `count` values upstream.
    @inlinable
    public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
        Publishers.CollectByCount(upstream: self, count: count)
    }
}
