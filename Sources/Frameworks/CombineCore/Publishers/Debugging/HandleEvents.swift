public import Locking

extension Publishers {
    /// A publisher that runs closures for the events of a stream and forwards the events unchanged.
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Runs before downstream receives the subscription.
        public var receiveSubscription: ((any Subscription) -> Void)?

        /// Runs before downstream receives a value.
        public var receiveOutput: ((Upstream.Output) -> Void)?

        /// Runs before downstream receives the completion.
        public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?

        /// Runs before upstream is cancelled.
        public var receiveCancel: (() -> Void)?

        /// Runs before values are requested from upstream, and for the additional demand that a `receive(_:)` returns.
        public var receiveRequest: ((Subscribers.Demand) -> Void)?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, receiveSubscription: ((any Subscription) -> Void)? = nil,
            receiveOutput: ((Upstream.Output) -> Void)? = nil,
            receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)? = nil,
            receiveCancel: (() -> Void)? = nil, receiveRequest: ((Subscribers.Demand) -> Void)?
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
            self.receiveCancel = receiveCancel
            self.receiveRequest = receiveRequest
        }

        /// Attaches `subscriber`. Its copies of the closures are released when the stream completes or is cancelled.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.receive(subscriber: Inner(subscriber, self))
        }

        /// The conduit behind `handleEvents`. It has no gate: it forwards events without counting or serializing them.
        @usableFromInline
        final class Inner<Downstream: Subscriber>: Conduit, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            // No gate: an observer must not change the timing of the stream, and forwarding alone needs no
            // serialisation.
            @usableFromInline let lock = WordLock()
            /// These are guarded by `lock`, and released at the end.
            @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
            @exclusivity(unchecked) @usableFromInline var subscription: (any Subscription)?
            @exclusivity(unchecked) @usableFromInline var isOver = false
            @exclusivity(unchecked) @usableFromInline var onSubscription: ((any Subscription) -> Void)?
            @exclusivity(unchecked) @usableFromInline var onValue: ((Upstream.Output) -> Void)?
            @exclusivity(unchecked) @usableFromInline var onCompletion:
                ((Subscribers.Completion<Upstream.Failure>) -> Void)?
            @exclusivity(unchecked) @usableFromInline var onCancel: (() -> Void)?
            @exclusivity(unchecked) @usableFromInline var onRequest: ((Subscribers.Demand) -> Void)?

            @inlinable
            init(_ downstream: Downstream, _ events: HandleEvents) {
                self.downstream = downstream
                onSubscription = events.receiveSubscription
                onValue = events.receiveOutput
                onCompletion = events.receiveCompletion
                onCancel = events.receiveCancel
                onRequest = events.receiveRequest
                super.init { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
                    lock.lock()
                    // Copied under the lock and called outside: the closure may cancel, which takes the lock.
                    let (onRequest, subscription) = (onRequest, subscription)
                    lock.unlock()
                    onRequest?(more)
                    subscription?.request(more)
                case .cancel:
                    // Ends before the closure runs, so that a cancellation from inside it does nothing and the closure
                    // runs once.
                    let (onCancel, subscription) = end { $0.onCancel }
                    onCancel?()
                    subscription?.cancel()
                case .drainPending: return
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                // Runs for a subscription that is then rejected, too: Combine reports each one that arrives.
                lock.withLock { onSubscription }?(subscription)
                lock.lock()
                // A second subscription, or one after the end, would keep a publisher running that nobody can cancel.
                if isOver || self.subscription != nil {
                    lock.unlock()
                    return subscription.cancel()
                }
                self.subscription = subscription
                let downstream = downstream
                lock.unlock()
                downstream?.receive(subscription: self)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                lock.lock()
                let (downstream, onValue, onRequest) = (downstream, onValue, onRequest)
                lock.unlock()
                guard let downstream else { return .none }
                onValue?(input)
                let more = downstream.receive(input)
                // Returned demand is a request, too; a return of no demand is not reported.
                if more.rawValue > 0 { onRequest?(more) }
                return more
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let (handlers, _) = end { ($0.onCompletion, $0.downstream) }
                // Nil if the conduit had ended: a second completion, or one after a cancellation, is dropped.
                guard let (onCompletion, downstream) = handlers else { return }
                onCompletion?(completion)
                downstream?.receive(completion: completion)
            }

            @usableFromInline typealias Handlers = (
                ((any Subscription) -> Void)?, ((Upstream.Output) -> Void)?,
                ((Subscribers.Completion<Upstream.Failure>) -> Void)?, (() -> Void)?, ((Subscribers.Demand) -> Void)?
            )

            /// Ends the conduit and releases everything that it holds.
            ///
            /// - Returns: The result of `pick`, and the subscription; nil if the conduit had ended before.
            @usableFromInline
            func end<Handler>(_ pick: (Inner) -> Handler?) -> (handler: Handler?, subscription: (any Subscription)?) {
                // Everything is moved into locals and released after unlocking. A closure's captures may have a
                // deinitializer that calls back into this conduit, and the lock is not recursive.
                lock.lock()
                let picked = pick(self)
                let taken: Handlers = (onSubscription, onValue, onCompletion, onCancel, onRequest)
                let former = subscription
                isOver = true
                subscription = nil
                let formerDownstream = downstream
                downstream = nil
                (onSubscription, onValue, onCompletion, onCancel, onRequest) = (nil, nil, nil, nil, nil)
                lock.unlock()
                withExtendedLifetime((taken, formerDownstream)) {}
                return (picked, former)
            }
        }
    }
}

extension Publisher {
    /// Runs a closure before each event of the stream is forwarded.
    @inlinable
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        Publishers.HandleEvents(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
    }
}
