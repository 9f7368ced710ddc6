public import StateCapture

extension Publishers {
    /// A publisher that subscribes, requests and cancels on a scheduler.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The scheduler of the calls to upstream.
        public let scheduler: Context

        /// The scheduler options for each call.
        public let options: Context.SchedulerOptions?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches `subscriber`. The subscription to upstream is made on the scheduler; values are not rescheduled.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: options)
            let conduit = SubscribeOnConduit<Context, S>(subscriber, scheduler)
            // A cancellation before this action runs is not lost: the ended conduit cancels the subscription when it
            // arrives.
            if let registry = StateRegistry.current { return conduit.start(with: upstream, whileWiring: registry) }
            scheduler.schedule { upstream.receive(subscriber: conduit) }
        }
    }
}

extension Publisher {
    /// Subscribes, requests and cancels on `scheduler`. Values are delivered where upstream publishes them.
    ///
    /// Inside a hosted machine, the main queue is replaced by the session's own scheduler.
    @inlinable
    public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
        -> Publishers.SubscribeOn<Self, S>
    {
        Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
    }
}

/// The conduit behind `subscribe(on:)`.
@usableFromInline
final class SubscribeOnConduit<Context: Scheduler, Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @usableFromInline let scheduler: ResolvedScheduler<Context>

    @inlinable
    init(_ downstream: Downstream, _ scheduler: ResolvedScheduler<Context>) {
        self.scheduler = scheduler
        super.init(downstream) { unsafeDowncast($0, to: SubscribeOnConduit<Context, Downstream>.self).handle($1) }
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            guard !demand.isEnded else { return }
            // The requests of the first life were made long ago.
            if StateRegistry.isRestoring, hasBegun { return requestUpstream(more) }
            // Weak, so that a queued request does not keep a dropped stream alive.
            scheduler.schedule { [weak self] in self?.requestUpstream(more) }
        case .cancel:
            guard demand.end() else { return }
            // The subscription is taken now and cancelled on the scheduler. It is held by the action, since the conduit
            // may have been deallocated by then.
            if let subscription = takeUpstream() { scheduler.schedule { subscription.cancel() } }
            releaseReferences()
        case .drainPending:
            if demand.isEnded { downstream = nil }
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        begin(subscription)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard hasBegun, !demand.isEnded, let downstream else { return .none }
        // Synchronously, so a returned demand can be returned here, too; only requests are rescheduled.
        return downstream.receive(input)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        let outermost = enter()
        if hasBegun { complete(completion) }
        exit(outermost)
    }

    @usableFromInline override var description: String { "SubscribeOn" }
}
