extension Publishers {
    /// A publisher that drops each value that equals its predecessor.
    @frozen
    public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Returns whether two consecutive values are equal; the earlier one is the first argument.
        public let predicate: (Upstream.Output, Upstream.Output) -> Bool

        /// Creates a publisher that compares consecutive values of `upstream` with `predicate`.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(subscriber, predicate).registered())
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            /// These are accessed inside the gate, and released after the end.
            @exclusivity(unchecked) @usableFromInline var predicate: ((Upstream.Output, Upstream.Output) -> Bool)?
            @exclusivity(unchecked) @usableFromInline var previous: Upstream.Output?

            @inlinable
            init(_ downstream: Downstream, _ predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
                self.predicate = predicate
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @usableFromInline override var customMirror: Mirror {
                mirror([("downstream", downstream as Any), ("last", previous as Any)])
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                // Demand is not counted: upstream delivers at most what downstream requested, plus one for each dropped
                // value.
                case .request(let more): requestUpstream(more)
                case .cancel: endAndCancel()
                case .drainPending:
                    // A mark requires no work here unless the conduit has ended; then the references must be released.
                    guard demand.isEnded else { return }
                    downstream = nil
                    predicate = nil
                    previous = nil
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                begin(subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                // The gate serializes senders, since the previous value is state that two threads would otherwise race
                // for.
                let outermost = enter()
                defer { exit(outermost) }
                guard hasBegun, !demand.isEnded, let downstream, let predicate else { return .none }
                // `previous` stays the first of a run of equal values: a predicate need not be transitive, and Combine
                // compares with the value that was published.
                if let previous, predicate(previous, input) { return .max(1) }
                // Stored before the call, so that a value delivered from inside is compared with this one.
                previous = input
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                if hasBegun { complete(completion) }
                exit(outermost)
            }
        }
    }
}

extension Publisher where Output: Equatable {
    /// Drops each value that equals its predecessor.
    @inlinable
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
        removeDuplicates(by: ==)
    }
}

extension Publisher {
    /// Drops each value that equals its predecessor according to `predicate`.
    @inlinable
    public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool)
        -> Publishers.RemoveDuplicates<Self>
    {
        Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
    }
}
