extension Publishers {
    /// Subscribes, requests and cancels on a scheduler.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Where upstream is talked to.
        public let scheduler: Context

        /// What the scheduler is told about each action.
        public let options: Context.SchedulerOptions?

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches `subscriber`; upstream is subscribed to on the scheduler, and delivers wherever it does.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: options)
            let conduit = SubscribeOnConduit<Context, S>(subscriber, scheduler)
            scheduler.schedule { upstream.receive(subscriber: conduit) }
        }
    }
}

extension Publisher {
    /// Subscribes, requests and cancels on `scheduler`; values come from wherever they come from.
    ///
    /// Inside a hosted machine the main queue stands for the session's own scheduler.
    @inlinable
    public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
        -> Publishers.SubscribeOn<Self, S>
    {
        Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
    }
}

/// The link behind `subscribe(on:)`.
@usableFromInline
final class SubscribeOnConduit<Context: Scheduler, Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @usableFromInline typealias Input = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure

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
            scheduler.schedule { [weak self] in self?.requestUpstream(more) }
        case .cancel:
            guard demand.end() else { return }
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
