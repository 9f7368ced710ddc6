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
            upstream.receive(subscriber: Inner(subscriber, predicate))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: UpstreamConduit, Subscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            /// These are used inside the gate, and let go of after the end.
            @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
            @exclusivity(unchecked) @usableFromInline var predicate: ((Upstream.Output, Upstream.Output) -> Bool)?
            @exclusivity(unchecked) @usableFromInline var previous: Upstream.Output?

            @inlinable
            init(_ downstream: Downstream, _ predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
                self.downstream = downstream
                self.predicate = predicate
                super.init { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @usableFromInline override var customMirror: Mirror {
                Mirror(self, children: ["downstream": downstream as Any, "last": previous as Any])
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more): requestUpstream(more)
                case .cancel: endAndCancel()
                case .drainPending:
                    guard demand.isEnded else { return }
                    downstream = nil
                    predicate = nil
                    previous = nil
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                let outermost = enter()
                if accept(subscription) { downstream?.receive(subscription: self) }
                exit(outermost)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                guard !demand.isEnded, let downstream, let predicate else { return .none }
                if let previous, predicate(previous, input) { return .max(1) }
                previous = input
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                if demand.end() {
                    takeUpstream()
                    downstream?.receive(completion: completion)
                    releaseReferences()
                }
                exit(outermost)
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
