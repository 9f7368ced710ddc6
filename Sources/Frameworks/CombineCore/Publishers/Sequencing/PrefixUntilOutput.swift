extension Publishers {
    /// A publisher that delivers values until another publisher delivers one, and then finishes.
    public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream

        /// The publisher whose first value ends the stream.
        public let other: Other

        /// Creates the publisher. It subscribes to nothing until it has a subscriber.
        @inlinable
        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        /// Attaches `subscriber`. The other publisher is subscribed to first.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
            let inner = Inner(subscriber)
            other.receive(subscriber: OtherSide(inner))
            upstream.receive(subscriber: inner)
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: ListeningConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @inlinable
            init(_ downstream: Downstream) {
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more): requestUpstream(more)
                case .cancel: cancelBoth()
                case .drainPending:
                    if demand.isEnded { downstream = nil }
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
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                takeOther()?.cancel()
                if hasBegun { complete(completion) }
                exit(outermost)
            }

            /// Finishes, because the other publisher has delivered a value. Only the first value of the subscription
            /// that was kept counts.
            @inlinable
            func terminate() {
                let outermost = enter()
                // Cancelled explicitly: a long-lived subject would otherwise hold this conduit forever.
                if let other = takeOther() {
                    end(with: .finished)
                    other.cancel()
                }
                exit(outermost)
            }
        }

        /// The subscriber of the other publisher.
        @usableFromInline
        struct OtherSide<Downstream: Subscriber>: Subscriber, DescribedSubscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let owner: Inner<Downstream>

            @inlinable
            init(_ owner: Inner<Downstream>) {
                self.owner = owner
            }

            @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(owner) }

            @inlinable
            func receive(subscription: any Subscription) {
                owner.receive(other: subscription)
            }

            @inlinable
            func receive(_ input: Other.Output) -> Subscribers.Demand {
                owner.terminate()
                return .none
            }

            /// Ignores the completion of the other publisher, which has no effect without a value.
            @inlinable
            func receive(completion: Subscribers.Completion<Other.Failure>) {
                withExtendedLifetime(owner.takeOther()) {}
            }
        }
    }
}

extension Publisher {
    /// Delivers values until `publisher` delivers one, and then finishes. The completion of `publisher` has no effect.
    @inlinable
    public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
        Publishers.PrefixUntilOutput(upstream: self, other: publisher)
    }
}
