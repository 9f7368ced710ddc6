import Locking

extension Publishers {
    /// A publisher that drops all values and forwards only the completion.
    public struct IgnoreOutput<Upstream: Publisher>: Publisher {
        /// No values.
        public typealias Output = Never
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber` and requests unlimited demand from upstream.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(subscriber))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
        where Downstream.Input == Never, Downstream.Failure == Upstream.Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            @inlinable
            init(_ downstream: Downstream) {
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                // Downstream cannot receive a value, so its demand has no meaning. Upstream has unlimited demand from
                // the start.
                case .request: return
                case .cancel: endAndCancel()
                case .drainPending:
                    if demand.isEnded { downstream = nil }
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                begin(subscription, requesting: .unlimited)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                // Unlike a reduction, the completion does not wait for demand: there is no value that needs demand.
                complete(completion)
            }

            @usableFromInline override var customMirror: Mirror {
                let status: Any = lock.withLock { upstream } ?? "awaitingSubscription" as Any
                return Mirror(self, children: ["downstream": downstream as Any, "status": status])
            }
        }
    }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Drops all values and forwards only the completion.
    @inlinable
    public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
        Publishers.IgnoreOutput(upstream: self)
    }
}
