extension Publishers {
    /// A publisher that replaces a failed upstream with another publisher.
    @frozen
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        /// The output type of both publishers.
        public typealias Output = Upstream.Output
        /// The failure type of the replacement publisher.
        public typealias Failure = NewPublisher.Failure

        /// The publisher to receive values from until it fails.
        public let upstream: Upstream

        /// Returns the publisher that replaces upstream after the given error.
        public let handler: (Upstream.Failure) -> NewPublisher

        /// Creates the publisher. Nothing runs until a subscriber attaches.
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

            /// Accessed inside the gate, and released after the end.
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
                    more.requireSome()
                    request(adding: more)
                case .cancel: endAndCancel()
                case .attend:
                    guard demand.isEnded else { return }
                    downstream = nil
                    handler = nil
                    waiting = []
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
                // The failed upstream must be dropped first: `proceed` accepts the replacement's subscription only if
                // there is no upstream.
                takeUpstream()
                switch completion {
                case .finished: complete(.finished)
                case .failure(let error):
                    guard !demand.isEnded, let handler else { return }
                    // The handler may cancel the stream; the replacement's subscription is then cancelled when it
                    // arrives.
                    let next = handler(error)
                    // In a deep chain of replacements, this conduit has nothing left to do and downstream takes the
                    // replacement directly; the chain does not grow.
                    if !handOver(to: next) { subscribe(Second(owner: self), to: next) }
                }
            }
        }

        /// The subscriber of the replacement publisher.
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

            // The replacement's subscriber is a value; the conduit behind it identifies the subscription.
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
            func putOff(_ task: @escaping () -> Void) -> Bool {
                owner.putOff(task)
            }
        }
    }
}

extension Publisher {
    /// Replaces this publisher, when it fails, with the one that `handler` returns for the error.
    @inlinable
    public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
    where Output == P.Output {
        Publishers.Catch(upstream: self, handler: handler)
    }
}
