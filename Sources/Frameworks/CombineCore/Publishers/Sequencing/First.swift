extension Publishers {
    /// A publisher that delivers the first value and finishes.
    public struct First<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher, which counts only before the first value.
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream

        /// Creates the publisher. It does not subscribe to `upstream` until it has a subscriber.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`. Requests unlimited values from upstream immediately and cancels it after the first
        /// one.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Upstream.Failure == S.Failure, Output == S.Input {
            upstream.receive(subscriber: Inner(subscriber).registered())
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            // Used only inside the gate, which makes every access exclusive, and released after the end.
            @exclusivity(unchecked) @usableFromInline var result: Upstream.Output?
            /// Whether the first value has arrived, or upstream has finished without one, and the result has not been
            /// delivered.
            @exclusivity(unchecked) @usableFromInline var isDecided = false

            @inlinable
            init(_ downstream: Downstream) {
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @usableFromInline override var customMirror: Mirror {
                mirror([
                    ("downstream", downstream as Any), ("result", result as Any),
                    ("initial", Optional<Output>.none as Any),
                    ("status", hasUpstream ? "subscribed" : "not subscribed"),
                ])
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
                    more.requirePositive()
                    demand.add(more)
                    drainOrMark()
                case .cancel: endAndCancel()
                case .drainPending: drainPending()
                }
            }

            @inlinable
            func drainPending() {
                if demand.isEnded {
                    downstream = nil
                    result = nil
                    return
                }
                deliver()
            }

            /// Delivers the result, if any, and the end, once downstream has requested a value.
            @inlinable
            func deliver() {
                guard isDecided, demand.current > 0, let downstream else { return }
                // Cleared before the call: a request from inside the delivery drains again and must not find the result
                // a second time.
                isDecided = false
                if let value = result {
                    result = nil
                    _ = downstream.receive(value)
                }
                complete(.finished)
            }

            @inlinable
            func receive(subscription: any Subscription) {
                begin(subscription, requesting: .unlimited)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                if !demand.isEnded, let subscription = takeUpstream() {
                    result = input
                    isDecided = true
                    subscription.cancel()
                    deliver()
                }
                exit(outermost)
                return .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                if takeUpstream() != nil {
                    switch completion {
                    case .finished:
                        isDecided = true
                        deliver()
                    case .failure: complete(completion)
                    }
                }
                exit(outermost)
            }
        }
    }
}

extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Delivers the first value and finishes.
    @inlinable
    public func first() -> Publishers.First<Self> {
        Publishers.First(upstream: self)
    }
}
