public import Locking

extension Publishers {
    /// Leaves out values until another publisher has delivered one.
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
    where Upstream.Failure == Other.Failure {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does, or as the other publisher does before its first value.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// The publisher whose first value is waited for.
        public let other: Other

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        /// Attaches `subscriber`, which gets the subscription before anything is subscribed to.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Other.Failure == S.Failure {
            let inner = Inner(subscriber)
            inner.open()
            other.receive(subscriber: OtherSide(inner))
            upstream.receive(subscriber: inner)
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: ListeningConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            /// Used inside the gate.
            @exclusivity(unchecked) @usableFromInline var isTriggered = false

            @inlinable
            init(_ downstream: Downstream) {
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
                    // Before upstream is there, the demand changes under the lock only.
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

            /// Takes the subscription of upstream and asks it for what has been asked for meanwhile.
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
        @frozen
        struct OtherSide<Downstream: Subscriber>: Subscriber, DescribedSubscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline typealias Input = Other.Output
            @usableFromInline typealias Failure = Other.Failure

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
    /// Leaves out values until `publisher` has delivered one; ends with `publisher` if that ends before.
    @inlinable
    public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
    where Failure == P.Failure {
        Publishers.DropUntilOutput(upstream: self, other: publisher)
    }
}
