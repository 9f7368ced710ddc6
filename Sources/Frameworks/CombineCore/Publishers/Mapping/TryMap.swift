extension Publishers {
    /// A publisher that transforms each value with a throwing closure.
    public struct TryMap<Upstream: Publisher, Output>: Publisher {
        /// Any error: the closure can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The closure that transforms each value.
        public let transform: (Upstream.Output) throws -> Output

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
            upstream.receive(subscriber: Inner(subscriber, transform))
        }

        // Unlike `map`, this needs a conduit: an error has to end the stream and to cancel upstream.
        @usableFromInline
        final class Inner<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
        where Downstream.Input == Output, Downstream.Failure == any Error {
            /// Accessed inside the gate, and released after the end.
            @exclusivity(unchecked) @usableFromInline var transform: ((Upstream.Output) throws -> Output)?

            @inlinable
            init(_ downstream: Downstream, _ transform: @escaping (Upstream.Output) throws -> Output) {
                self.transform = transform
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more): requestUpstream(more)
                case .cancel: endAndCancel()
                case .drainPending:
                    guard demand.isEnded else { return }
                    downstream = nil
                    transform = nil
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                begin(subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                guard !demand.isEnded, let downstream, let transform else { return .none }
                do {
                    return downstream.receive(try transform(input))
                } catch {
                    // Ends first, so that upstream cannot deliver while downstream handles the failure. `downstream` is
                    // a local reference: the conduit's own may be released by now.
                    endAndCancel()
                    downstream.receive(completion: .failure(error))
                    return .none
                }
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                if hasUpstream { complete(completion.mapError { $0 }) }
                exit(outermost)
            }
        }
    }
}

extension Publisher {
    /// Transforms each value with `transform`. Fails with the error that it throws.
    @inlinable
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        Publishers.TryMap(upstream: self, transform: transform)
    }
}

extension Publishers.TryMap {
    /// Transforms each value with both closures in turn. The result is one operator with the composed closure.
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
    }

    /// Transforms each value with both closures in turn, in one operator. Fails with the error that one of them throws.
    @inlinable
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
    }
}
