extension Publishers {
    /// A publisher of the intervals between values.
    public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// An interval of the scheduler's clock.
        public typealias Output = Context.SchedulerTimeType.Stride
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The scheduler that measures time.
        public let scheduler: Context

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, scheduler: Context) {
            self.upstream = upstream
            self.scheduler = scheduler
        }

        /// Attaches `subscriber`. The first interval starts with the subscription.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, S.Input == Context.SchedulerTimeType.Stride {
            upstream.receive(
                subscriber: MeasureConduit<Upstream.Output, Context, S>(
                    subscriber, ResolvedScheduler(scheduler, options: nil)
                ).registered())
        }
    }
}

extension Publisher {
    /// Publishes, for each value, the time since the previous one or since the subscription. The options have no
    /// effect.
    ///
    /// Inside a hosted machine, the main queue is replaced by the session's own scheduler.
    @inlinable
    public func measureInterval<S: Scheduler>(using scheduler: S, options: S.SchedulerOptions? = nil)
        -> Publishers.MeasureInterval<Self, S>
    {
        Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
    }
}

@usableFromInline
final class MeasureConduit<Input, Context: Scheduler, Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
where Downstream.Input == Context.SchedulerTimeType.Stride {
    @usableFromInline let scheduler: ResolvedScheduler<Context>
    /// The time of the last value or of the subscription. Accessed inside the gate.
    @exclusivity(unchecked) @usableFromInline var last: Context.SchedulerTimeType?

    @inlinable
    init(_ downstream: Downstream, _ scheduler: ResolvedScheduler<Context>) {
        self.scheduler = scheduler
        super.init(downstream) { unsafeDowncast($0, to: MeasureConduit<Input, Context, Downstream>.self).forward($1) }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let outermost = enter()
        // The first interval starts with the first subscription; a second one, which is rejected, must not restart it.
        if !hasBegun { last = scheduler.now }
        begin(subscription)
        exit(outermost)
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard hasBegun, !demand.isEnded, let downstream, let last else { return .none }
        let now = scheduler.now
        // Before the call, so that the time downstream takes counts towards the next interval.
        self.last = now
        let more = downstream.receive(last.distance(to: now))
        // Requested instead of returned, as Combine does.
        if more.rawValue > 0 { requestUpstream(more) }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        let outermost = enter()
        // A completion before the subscription breaks the protocol; downstream could not relate it to anything.
        if hasBegun { complete(completion) }
        exit(outermost)
    }

    @usableFromInline override var description: String { "MeasureInterval" }
}
