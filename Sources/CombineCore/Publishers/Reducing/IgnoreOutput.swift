import Locking

extension Publishers {
    /// Leaves out all values and passes the completion on.
    public struct IgnoreOutput<Upstream: Publisher>: Publisher {
        /// There are no values.
        public typealias Output = Never
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`; upstream is asked for everything at once.
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
    /// Leaves out all values and passes the completion on.
    @inlinable
    public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
        Publishers.IgnoreOutput(upstream: self)
    }
}
