extension Publishers {
    /// A publisher that replaces a failed upstream with another publisher, or fails with the error that the handler
    /// throws.
    @frozen
    public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        /// The output type of both publishers.
        public typealias Output = Upstream.Output
        /// Any error: the handler can throw.
        public typealias Failure = any Error

        /// The publisher to receive values from until it fails.
        public let upstream: Upstream

        /// Returns the publisher that replaces upstream after the given error.
        public let handler: (Upstream.Failure) throws -> NewPublisher

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where NewPublisher.Output == S.Input, S.Failure == any Error {
            upstream.receive(subscriber: Inner(subscriber, handler))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SuccessorConduit<Downstream>, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == any Error {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            /// Accessed inside the gate, and released after the end.
            @exclusivity(unchecked) @usableFromInline var handler: ((Upstream.Failure) throws -> NewPublisher)?

            @inlinable
            init(_ downstream: Downstream, _ handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
                self.handler = handler
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @usableFromInline override var customMirror: Mirror {
                let wanted = Subscribers.Demand(outstanding: demand.current)
                return Mirror(self, children: ["downstream": downstream as Any, "demand": wanted])
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
                case .failure(let error): recover(from: error)
                }
            }

            @inlinable
            func recover(from error: Upstream.Failure) {
                guard !demand.isEnded, let handler else { return }
                do {
                    let next = try handler(error)
                    // In a deep chain of replacements, this conduit has nothing left to do and downstream takes the
                    // replacement directly; the chain does not grow.
                    if !handOver(to: next) { subscribe(Second(owner: self), to: next) }
                } catch {
                    complete(.failure(error))
                }
            }
        }

        /// The subscriber of the replacement publisher.
        @usableFromInline
        @frozen
        struct Second<Downstream: Subscriber>: Subscriber, DescribedSubscriber, ReplaceableSubscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == any Error {
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
                // Erases the failure type; the replacement's own failure is not handled again.
                owner.complete(completion.mapError { $0 })
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
    /// Replaces this publisher, when it fails, with the one that `handler` returns. Fails with the error that `handler`
    /// throws.
    @inlinable
    public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
    where Output == P.Output {
        Publishers.TryCatch(upstream: self, handler: handler)
    }
}
