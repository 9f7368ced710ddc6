extension Publishers {
    /// Subscribes to upstream anew when it fails.
    public struct Retry<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does after the last attempt.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How often upstream is subscribed to anew; nil, or a negative number, for as often as it fails.
        public let retries: Int?

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        /// Attaches `subscriber`; demand that one attempt has not met goes to the next.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.receive(subscriber: Inner(subscriber, upstream, retries))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SuccessorConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            /// These are used inside the gate; the source is let go of after the end.
            @exclusivity(unchecked) @usableFromInline var source: Upstream?
            @exclusivity(unchecked) @usableFromInline var remaining: Int?
            @exclusivity(unchecked) @usableFromInline var hasBegun = false
            @exclusivity(unchecked) @usableFromInline var hasFailedMeanwhile = false

            @inlinable
            init(_ downstream: Downstream, _ source: Upstream, _ retries: Int?) {
                self.source = source
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
                let outermost = enter()
                if hasBegun {
                    proceed(subscription)
                } else {
                    hasBegun = true
                    begin(subscription)
                }
                exit(outermost)
            }

            /// What downstream answers is asked for at once: the present attempt may be over when this returns.
            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                guard let downstream, demand.take() else { return .none }
                let more = downstream.receive(input)
                if more.rawValue > 0 { request(adding: more) }
                return .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                defer { exit(outermost) }
                if case .finished = completion { return complete(completion) }
                if remaining == 0 { return complete(completion) }
                remaining = remaining.map { $0 - 1 }
                takeUpstream()
                retry()
            }

            /// Subscribes in a loop, so that an upstream that fails while it is subscribed to does not pile up the stack.
            @inlinable
            func retry() {
                if isSubscribing {
                    hasFailedMeanwhile = true
                    return
                }
                isSubscribing = true
                repeat {
                    hasFailedMeanwhile = false
                    source?.receive(subscriber: self)
                } while hasFailedMeanwhile && !demand.isEnded
                isSubscribing = false
            }
        }
    }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Subscribes to this publisher anew when it fails, at most `retries` times; a negative number means without end.
    @inlinable
    public func retry(_ retries: Int) -> Publishers.Retry<Self> {
        Publishers.Retry(upstream: self, retries: retries)
    }
}
