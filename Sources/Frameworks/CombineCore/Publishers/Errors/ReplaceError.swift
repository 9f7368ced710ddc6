extension Publishers {
    /// A publisher that replaces a failure of upstream with a value.
    @frozen
    public struct ReplaceError<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// No failure: errors are replaced.
        public typealias Failure = Never

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The replacement for an error.
        public let output: Upstream.Output

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        /// Attaches `subscriber`. The replacement waits until downstream requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Upstream.Output == S.Input, S.Failure == Never {
            upstream.receive(subscriber: Inner(subscriber, output).registered())
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SuccessorConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
            /// These are accessed inside the gate. The replacement is released after the end.
            @exclusivity(unchecked) @usableFromInline var output: Upstream.Output?
            @exclusivity(unchecked) @usableFromInline var hasFailed = false

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
                    request(adding: more)
                    // The replacement may have been waiting for this request. It exists only after upstream has ended,
                    // so requests to a live upstream need not enter the gate.
                    if !hasUpstream { drainOrMark() }
                case .cancel: endAndCancel()
                case .drainPending: drainPending()
                }
            }

            @usableFromInline
            func drainPending() {
                if demand.isEnded {
                    downstream = nil
                    output = nil
                    return
                }
                deliverInPlaceOfError()
            }

            /// Delivers the replacement if upstream has failed and downstream has requested a value. Runs inside the
            /// gate.
            @usableFromInline
            func deliverInPlaceOfError() {
                // The replacement counts as a value, so it needs demand; Combine keeps it until then, too.
                guard hasFailed, let value = output, let downstream, demand.take() else { return }
                // Cleared before the call: a request from inside it would deliver the replacement twice.
                output = nil
                // Only the completion follows, so further demand is meaningless.
                _ = downstream.receive(value)
                complete(.finished)
            }

            @inlinable
            func receive(subscription: any Subscription) {
                begin(subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                let more = pass(input)
                // Upstream may have failed during this delivery. In that case the replacement is waiting for the
                // returned demand, and no further request would deliver it.
                if hasFailed { deliverInPlaceOfError() }
                return more
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                // The end of an upstream that had failed when the machine was captured.
                if hasFailed { return }
                // `.finished` needs no demand and does not wait.
                guard case .failure = completion else { return complete(.finished) }
                let outermost = enter()
                // Upstream has completed. The request handler reads this as the sign that the replacement may be due.
                takeUpstream()
                hasFailed = true
                deliverInPlaceOfError()
                exit(outermost)
            }
        }
    }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publisher {
    /// Publishes `output` and finishes when this publisher fails.
    @inlinable
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        Publishers.ReplaceError(upstream: self, output: output)
    }
}
