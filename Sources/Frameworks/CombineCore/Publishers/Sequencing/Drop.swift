public import Locking

extension Publishers {
    /// A publisher that omits the first values of upstream.
    @frozen
    public struct Drop<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream

        /// The number of values to omit.
        public let count: Int

        /// Creates a publisher that omits the first `count` values of `upstream`. A negative count traps.
        @inlinable
        public init(upstream: Upstream, count: Int) {
            precondition(count >= 0, "The number of values to omit must not be negative, got \(count).")
            self.upstream = upstream
            self.count = count
        }

        /// Attaches `subscriber`, which receives its subscription immediately. The omitted values are requested from
        /// upstream in addition.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            let inner = Inner(subscriber, count).registered()
            subscriber.receive(subscription: inner)
            upstream.receive(subscriber: inner)
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: Conduit, Subscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline let lock = WordLock()
            // Guarded by `lock`. Downstream is nil after a cancellation.
            @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
            @exclusivity(unchecked) @usableFromInline var upstream: (any Subscription)?
            /// The number of values that are still to be omitted.
            @exclusivity(unchecked) @usableFromInline var remaining: Int
            /// The demand to request from upstream when it arrives: the values to omit, and requests made before.
            @exclusivity(unchecked) @usableFromInline var wanted: Subscribers.Demand

            @inlinable
            init(_ downstream: Downstream, _ count: Int) {
                self.downstream = downstream
                remaining = count
                wanted = .max(count)
                super.init { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @usableFromInline
            func handle(_ command: Command) {
                switch command {
                case .request(let more): request(adding: more)
                case .cancel: end()
                case .drainPending: return
                }
            }

            @usableFromInline
            func receive(subscription: any Subscription) {
                lock.lock()
                guard upstream == nil, downstream != nil else {
                    lock.unlock()
                    return subscription.cancel()
                }
                upstream = subscription
                let first = wanted
                lock.unlock()
                if first.rawValue > 0 { subscription.request(first) }
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                lock.lock()
                if remaining > 0 {
                    remaining -= 1
                    lock.unlock()
                    return .none
                }
                let downstream = downstream
                lock.unlock()
                return downstream?.receive(input) ?? .none
            }

            @usableFromInline
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                lock.lock()
                let (downstream, former) = (downstream, upstream)
                upstream = nil
                lock.unlock()
                withExtendedLifetime(former) {}
                downstream?.receive(completion: completion)
            }

            private func request(adding more: Subscribers.Demand) {
                more.requirePositive()
                lock.lock()
                let present = upstream
                if present == nil { wanted += more }
                lock.unlock()
                present?.request(more)
            }

            private func end() {
                lock.lock()
                let (formerDownstream, formerUpstream) = (downstream, upstream)
                downstream = nil
                upstream = nil
                lock.unlock()
                formerUpstream?.cancel()
                withExtendedLifetime(formerDownstream) {}
            }
        }
    }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Omits the first `count` values.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
        Publishers.Drop(upstream: self, count: count)
    }
}
