public import StateCapture

extension Publishers {
    /// A publisher that subscribes to upstream again when it fails.
    public struct Retry<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of upstream; the error of the last attempt is forwarded.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The maximum number of further attempts; nil or a negative number for no limit.
        public let retries: Int?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        /// Attaches `subscriber`. Demand that one attempt leaves unmet is requested from the next.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let inner = Inner(subscriber, upstream, retries)
            if let registry = StateRegistry.current { return inner.start(whileWiring: registry) }
            upstream.receive(subscriber: inner)
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SuccessorConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            /// These are accessed inside the gate. The source is released after the end.
            @exclusivity(unchecked) @usableFromInline var source: Upstream?
            @exclusivity(unchecked) @usableFromInline var remaining: Int?
            @exclusivity(unchecked) @usableFromInline var hasFailedMeanwhile = false
            /// The scope of the parts of the current attempt, if the machine is captured.
            @exclusivity(unchecked) @usableFromInline var scope: StateScope?

            @inlinable
            init(_ downstream: Downstream, _ source: Upstream, _ retries: Int?) {
                self.source = source
                // Combine treats a negative count as no limit.
                remaining = retries.flatMap { $0 < 0 ? nil : $0 }
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
                    more.requirePositive()
                    request(adding: more)
                case .cancel: endAndCancel()
                case .drainPending:
                    guard demand.isEnded else { return }
                    downstream = nil
                    source = nil
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                beginOrProceed(subscription)
            }

            /// Forwards a value, and requests the additional demand separately instead of returning it.
            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                guard let downstream, demand.take() else { return .none }
                let more = downstream.receive(input)
                // The attempt that delivered may have failed during the call. Then a returned demand would reach the
                // old attempt and be lost; a request goes to the current one.
                if more.rawValue > 0 { request(adding: more) }
                return .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                defer { exit(outermost) }
                if case .finished = completion { return complete(completion) }
                // Nil means no limit; it never equals 0.
                if remaining == 0 { return complete(completion) }
                remaining = remaining.map { $0 - 1 }
                // The failed attempt must be dropped before the next one subscribes: `proceed` accepts a subscription
                // only if there is no upstream.
                takeUpstream()
                retry()
            }

            /// Subscribes to the source until an attempt does not fail during its subscription.
            @inlinable
            func retry() {
                // The attempt failed inside its own `receive(subscriber:)`. The outer loop makes the next one, so the
                // stack does not grow with the number of attempts.
                if isSubscribing {
                    hasFailedMeanwhile = true
                    return
                }
                isSubscribing = true
                repeat {
                    hasFailedMeanwhile = false
                    // The source is nil after a cancellation from inside the previous attempt.
                    if let scope {
                        scope.wire { source?.receive(subscriber: self) }
                    } else {
                        source?.receive(subscriber: self)
                    }
                } while hasFailedMeanwhile && !demand.isEnded
                isSubscribing = false
            }
        }
    }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Subscribes to this publisher again when it fails, at most `retries` times. A negative number means no limit.
    @inlinable
    public func retry(_ retries: Int) -> Publishers.Retry<Self> {
        Publishers.Retry(upstream: self, retries: retries)
    }
}
