extension Publishers {
    /// Delivers what a closure makes of each value; fails with what the closure throws.
    public struct TryMap<Upstream: Publisher, Output>: Publisher {
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// What is made of a value.
        public let transform: (Upstream.Output) throws -> Output

        /// Makes the publisher; nothing happens before somebody subscribes.
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

        @usableFromInline
        final class Inner<Downstream: Subscriber>: UpstreamConduit, Subscriber
        where Downstream.Input == Output, Downstream.Failure == any Error {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            /// These are used inside the gate, and let go of after the end.
            @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
            @exclusivity(unchecked) @usableFromInline var transform: ((Upstream.Output) throws -> Output)?

            @inlinable
            init(_ downstream: Downstream, _ transform: @escaping (Upstream.Output) throws -> Output) {
                self.downstream = downstream
                self.transform = transform
                super.init { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
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
                let outermost = enter()
                if accept(subscription) { downstream?.receive(subscription: self) }
                exit(outermost)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let outermost = enter()
                defer { exit(outermost) }
                guard !demand.isEnded, let downstream, let transform else { return .none }
                do {
                    return downstream.receive(try transform(input))
                } catch {
                    endAndCancel()
                    downstream.receive(completion: .failure(error))
                    return .none
                }
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                if demand.end() {
                    takeUpstream()
                    downstream?.receive(completion: completion.mapError { $0 })
                    releaseReferences()
                }
                exit(outermost)
            }
        }
    }
}

extension Publisher {
    /// Delivers what `transform` makes of each value; fails with what it throws.
    @inlinable
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        Publishers.TryMap(upstream: self, transform: transform)
    }
}

extension Publishers.TryMap {
    /// Delivers what `transform` makes of each value; the two closures become one.
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
    }

    /// Delivers what `transform` makes of each value, the two closures as one; fails with what one of them throws.
    @inlinable
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
    }
}
