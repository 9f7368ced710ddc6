extension Publishers {
    /// Goes on with another publisher when upstream fails.
    @frozen
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        /// The values are those of both publishers.
        public typealias Output = Upstream.Output
        /// Fails as the other publisher does.
        public typealias Failure = NewPublisher.Failure

        /// Where the values come from at first.
        public let upstream: Upstream

        /// Makes the publisher to go on with of the error.
        public let handler: (Upstream.Failure) -> NewPublisher

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where NewPublisher.Failure == S.Failure, NewPublisher.Output == S.Input {
            upstream.receive(subscriber: Inner(subscriber, handler))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SuccessorConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == NewPublisher.Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            /// Used inside the gate, and let go of after the end.
            @exclusivity(unchecked) @usableFromInline var handler: ((Upstream.Failure) -> NewPublisher)?

            @inlinable
            init(_ downstream: Downstream, _ handler: @escaping (Upstream.Failure) -> NewPublisher) {
                self.handler = handler
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @usableFromInline override var customMirror: Mirror {
                Mirror(
                    self,
                    children: [
                        "downstream": downstream as Any, "demand": Subscribers.Demand(outstanding: demand.current),
                    ])
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
                    handler = nil
                    postponed = []
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                begin(subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                pass(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let outermost = enter()
                defer { exit(outermost) }
                takeUpstream()
                switch completion {
                case .finished: complete(.finished)
                case .failure(let error):
                    guard !demand.isEnded, let handler else { return }
                    let next = handler(error)
                    if !transferDownstream(to: next) { subscribe(Second(owner: self), to: next) }
                }
            }
        }

        /// The subscriber of the publisher to go on with.
        @usableFromInline
        @frozen
        struct Second<Downstream: Subscriber>: Subscriber, DescribedSubscriber, ReplaceableSubscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == NewPublisher.Failure {
            @usableFromInline typealias Input = NewPublisher.Output
            @usableFromInline typealias Failure = NewPublisher.Failure

            @usableFromInline let owner: Inner<Downstream>

            @inlinable
            init(owner: Inner<Downstream>) {
                self.owner = owner
            }

            @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(owner) }

            @usableFromInline var description: String { owner.description }

            @usableFromInline var customMirror: Mirror { owner.customMirror }

            @inlinable
            func receive(subscription: any Subscription) {
                owner.proceed(subscription)
            }

            @inlinable
            func receive(_ input: NewPublisher.Output) -> Subscribers.Demand {
                owner.pass(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<NewPublisher.Failure>) {
                owner.complete(completion)
            }

            @usableFromInline
            func replaceUpstream(with next: Any) -> Bool {
                owner.replaceUpstream(of: self, with: next)
            }

            @usableFromInline
            func postpone(_ task: @escaping () -> Void) -> Bool {
                owner.postpone(task)
            }
        }
    }
}

extension Publisher {
    /// Goes on with the publisher that `handler` makes of the error, when this one fails.
    @inlinable
    public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
    where Output == P.Output {
        Publishers.Catch(upstream: self, handler: handler)
    }
}
