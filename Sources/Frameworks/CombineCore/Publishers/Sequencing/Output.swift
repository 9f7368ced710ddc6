extension Publishers {
    /// A publisher that delivers the values in a range of positions and finishes with the last of them.
    public struct Output<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream

        /// The positions, counted from 0.
        public let range: CountableRange<Int>

        /// Creates the publisher. It does not subscribe to `upstream` until it has a subscriber. A negative position
        /// traps.
        @inlinable
        public init(upstream: Upstream, range: CountableRange<Int>) {
            precondition(range.lowerBound >= 0, "A position must not be negative, got \(range.lowerBound).")
            self.upstream = upstream
            self.range = range
        }

        /// Attaches `subscriber`. If the range is empty, the stream finishes immediately.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Upstream.Failure == S.Failure, Output == S.Input {
            upstream.receive(subscriber: Inner(subscriber, range).registered())
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            // Used only inside the gate, which makes every access exclusive.
            @exclusivity(unchecked) @usableFromInline var skipped: Int
            @exclusivity(unchecked) @usableFromInline var remaining: Int

            @inlinable
            init(_ downstream: Downstream, _ range: CountableRange<Int>) {
                skipped = range.lowerBound
                remaining = range.count
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).forward($1) }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                let outermost = enter()
                begin(subscription)
                if remaining == 0 { end(with: .finished) }
                exit(outermost)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                guard !demand.isEnded, remaining > 0, let downstream else { return .none }
                if skipped > 0 {
                    skipped -= 1
                    // Downstream's request counted this value, so upstream has to send another one for it.
                    return .max(1)
                }
                remaining -= 1
                // Decided before the delivery: from inside it, downstream may cause further values.
                let isLast = remaining == 0
                let more = downstream.receive(input)
                if isLast { end(with: .finished) }
                return isLast ? .none : more
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                if hasUpstream { complete(completion) }
                exit(outermost)
            }
        }
    }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Delivers at most the first `maxLength` values and finishes with the last of them.
    @inlinable
    public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
        precondition(maxLength >= 0, "A length must not be negative, got \(maxLength).")
        return Publishers.Output(upstream: self, range: 0..<maxLength)
    }
}
