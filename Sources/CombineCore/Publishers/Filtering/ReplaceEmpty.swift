import Locking

extension Publishers {
    /// Delivers a value when upstream finishes without any.
    public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
        /// The values are those of upstream, or the one in place of nothing.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// What is delivered in place of nothing.
        public let output: Upstream.Output

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        /// Attaches `subscriber`. Upstream is asked for everything, and what it delivers is passed on, asked for or not; the
        /// value in place of nothing waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(subscriber, output))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            /// What is delivered in place of nothing; nil once there has been a value. Used inside the gate.
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

            /// Inside the gate: delivers the value in place of nothing if it is time and it has been asked for.
            @inlinable
            func deliverOutput() {
                guard isUpstreamFinished, demand.current > 0, let downstream, let value = output else { return }
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
                output = nil
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                defer { exit(outermost) }
                guard hasBegun, !isUpstreamFinished else { return }
                if case .finished = completion, output != nil {
                    isUpstreamFinished = true
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
    /// Delivers `output` and finishes when this publisher finishes without a value.
    @inlinable
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
        Publishers.ReplaceEmpty(upstream: self, output: output)
    }
}
