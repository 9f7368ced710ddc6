public import Locking

extension Publishers {
    /// A publisher that omits values until another publisher has delivered one.
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
    where Upstream.Failure == Other.Failure {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of both publishers. The other publisher's failure counts only before its first value.
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream

        /// The publisher whose first value is awaited.
        public let other: Other

        /// Creates the publisher. It subscribes to nothing until it has a subscriber.
        @inlinable
        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        /// Attaches `subscriber`, which receives its subscription before this publisher subscribes to the others.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Other.Failure == S.Failure {
            let inner = Inner(subscriber).registered()
            inner.open()
            other.receive(subscriber: OtherSide(inner))
            upstream.receive(subscriber: inner)
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: ListeningConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            // Used only inside the gate, which makes every access exclusive.
            @exclusivity(unchecked) @usableFromInline var isTriggered = false

            @inlinable
            init(_ downstream: Downstream) {
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
                    // Until upstream has arrived, demand is only changed under the lock. `receive(subscription:)` reads
                    // it there, so that each request reaches upstream exactly once.
                    lock.lock()
                    demand.add(more)
                    let present = upstream
                    lock.unlock()
                    present?.request(more)
                case .cancel: cancelBoth()
                case .drainPending:
                    if demand.isEnded { downstream = nil }
                }
            }

            @inlinable
            func open() {
                let outermost = enter()
                downstream?.receive(subscription: self)
                exit(outermost)
            }

            /// Keeps the subscription of upstream and requests the demand that has accumulated.
            @inlinable
            func receive(subscription: any Subscription) {
                let link = Conduit.wrapping(subscription)
                lock.lock()
                let wanted = demand.current
                guard wanted >= 0, upstream == nil else {
                    lock.unlock()
                    return subscription.cancel()
                }
                upstream = link
                lock.unlock()
                if wanted > 0 { subscription.request(Subscribers.Demand(outstanding: wanted)) }
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                guard isTriggered, !demand.isEnded, let downstream else { return .none }
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                takeOther()?.cancel()
                complete(completion)
                exit(outermost)
            }

            @inlinable
            func trigger() {
                let outermost = enter()
                isTriggered = true
                exit(outermost)
            }

            @inlinable
            func receive(other completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                withExtendedLifetime(takeOther()) {}
                if !isTriggered { end(with: completion) }
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
                owner.trigger()
                return .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Other.Failure>) {
                owner.receive(other: completion)
            }
        }
    }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publisher {
    /// Omits values until `publisher` has delivered one. If `publisher` ends before that, the stream ends with it.
    @inlinable
    public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
    where Failure == P.Failure {
        Publishers.DropUntilOutput(upstream: self, other: publisher)
    }
}
