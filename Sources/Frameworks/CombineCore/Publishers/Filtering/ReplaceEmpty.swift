extension Publishers {
    /// A publisher that publishes a replacement if upstream finishes without a value.
    public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The replacement for an empty stream.
        public let output: Upstream.Output

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        /// Attaches `subscriber`. Requests unlimited demand from upstream and forwards the values even without
        /// downstream demand; only the replacement waits until downstream requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(subscriber, output).registered())
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            /// The replacement; nil once upstream has published a value. Accessed inside the gate.
            @exclusivity(unchecked) @usableFromInline var output: Upstream.Output?
            @exclusivity(unchecked) @usableFromInline var isUpstreamFinished = false

            @inlinable
            init(_ downstream: Downstream, _ output: Upstream.Output) {
                self.output = output
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
                    more.requirePositive()
                    demand.add(more)
                    // Forwarded although upstream already has unlimited demand: Combine's upstream sees this request,
                    // too.
                    requestUpstream(more)
                    drainOrMark()
                case .cancel: endAndCancel()
                case .drainPending: drainPending()
                }
            }

            @inlinable
            func drainPending() {
                if demand.isEnded {
                    downstream = nil
                    output = nil
                    return
                }
                deliverOutput()
            }

            /// Delivers the replacement if upstream has finished and downstream has requested a value. Runs inside the
            /// gate.
            @inlinable
            func deliverOutput() {
                guard isUpstreamFinished, demand.current > 0, let downstream, let value = output else { return }
                // Cleared before the call: a request from inside it would deliver the replacement twice.
                output = nil
                _ = downstream.receive(value)
                end(with: .finished)
            }

            @inlinable
            func receive(subscription: any Subscription) {
                begin(subscription, requesting: .unlimited)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                guard hasBegun, !demand.isEnded, let downstream else { return .none }
                // The stream is not empty any more. Releasing the replacement also marks that.
                output = nil
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                defer { exit(outermost) }
                guard hasBegun, !isUpstreamFinished else { return }
                // A failure, or the end of a stream with values, does not wait for demand.
                if case .finished = completion, output != nil {
                    isUpstreamFinished = true
                    // Upstream has completed: later requests have no receiver.
                    takeUpstream()
                    deliverOutput()
                } else {
                    complete(completion)
                }
            }
        }
    }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publisher {
    /// Publishes `output` and finishes when this publisher finishes without a value.
    @inlinable
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
        Publishers.ReplaceEmpty(upstream: self, output: output)
    }
}
