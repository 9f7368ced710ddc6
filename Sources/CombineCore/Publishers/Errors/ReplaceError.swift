import Locking

extension Publishers {
    /// Delivers a value and finishes when upstream fails.
    @frozen
    public struct ReplaceError<Upstream: Publisher>: Publisher {
        /// The values are those of upstream, and the one in place of an error.
        public typealias Output = Upstream.Output
        /// Errors are replaced.
        public typealias Failure = Never

        /// Where the values come from.
        public let upstream: Upstream

        /// What is delivered in place of an error.
        public let output: Upstream.Output

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        /// Attaches `subscriber`; the value in place of an error waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Upstream.Output == S.Input, S.Failure == Never {
            upstream.receive(subscriber: Inner(subscriber, output))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SuccessorConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            /// These are used inside the gate; the value is let go of after the end.
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
                    // A value that comes in place of an error may have been waiting for this.
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

            /// Inside the gate: delivers the value if upstream has failed and the value has been asked for.
            @usableFromInline
            func deliverInPlaceOfError() {
                guard hasFailed, let value = output, let downstream, demand.take() else { return }
                output = nil
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
                // Upstream may have failed from inside, and this answer is the demand that the value waits for.
                if hasFailed { deliverInPlaceOfError() }
                return more
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                guard case .failure = completion else { return complete(.finished) }
                let outermost = enter()
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
    /// Delivers `output` and finishes when this publisher fails.
    @inlinable
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        Publishers.ReplaceError(upstream: self, output: output)
    }
}
