public import Locking

extension Publishers {
    /// Runs closures when something happens on the stream, and changes nothing of it.
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Runs before downstream gets the subscription.
        public var receiveSubscription: ((any Subscription) -> Void)?

        /// Runs before downstream gets a value.
        public var receiveOutput: ((Upstream.Output) -> Void)?

        /// Runs before downstream gets the completion.
        public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?

        /// Runs before upstream is cancelled.
        public var receiveCancel: (() -> Void)?

        /// Runs before upstream is asked for values; also for a demand that answers a value.
        public var receiveRequest: ((Subscribers.Demand) -> Void)?

        /// Makes the publisher; nothing happens before somebody subscribes.
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

        /// Attaches `subscriber`; the closures are let go of when its stream ends or is cancelled.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.receive(subscriber: Inner(subscriber, self))
        }

        /// Values and completions need no gate of their own: they are passed on as they come.
        @usableFromInline
        final class Inner<Downstream: Subscriber>: Conduit, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline let lock = WordLock()
            /// These are guarded by `lock`, and let go of at the end.
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
                    let (onRequest, subscription) = (onRequest, subscription)
                    lock.unlock()
                    onRequest?(more)
                    subscription?.request(more)
                case .cancel:
                    let (onCancel, subscription) = end { $0.onCancel }
                    onCancel?()
                    subscription?.cancel()
                case .drainPending: return
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                lock.withLock { onSubscription }?(subscription)
                lock.lock()
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
                if more.rawValue > 0 { onRequest?(more) }
                return more
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                let (handlers, _) = end { ($0.onCompletion, $0.downstream) }
                guard let (onCompletion, downstream) = handlers else { return }
                onCompletion?(completion)
                downstream?.receive(completion: completion)
            }

            @usableFromInline typealias Handlers = (
                ((any Subscription) -> Void)?, ((Upstream.Output) -> Void)?,
                ((Subscribers.Completion<Upstream.Failure>) -> Void)?, (() -> Void)?, ((Subscribers.Demand) -> Void)?
            )

            /// Ends the link and takes everything out, to be dropped when no lock is held.
            ///
            /// - Returns: The closure that `pick` chose and the subscription; nil if the link had ended before.
            @usableFromInline
            func end<Handler>(_ pick: (Inner) -> Handler?) -> (handler: Handler?, subscription: (any Subscription)?) {
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
    /// Runs the closures when something happens on the stream, each before the stream goes on.
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
