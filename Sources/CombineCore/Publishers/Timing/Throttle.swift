extension Publishers {
    /// Delivers at most one value in an interval.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How long after a value the next one is delivered at the earliest.
        public let interval: Context.SchedulerTimeType.Stride

        /// Where the time comes from, and where values are delivered.
        public let scheduler: Context

        /// Whether it is the newest value of an interval that is delivered; if not, the oldest.
        public let latest: Bool

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.latest = latest
        }

        /// Attaches `subscriber`; upstream is asked for everything at once.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: nil)
            upstream.receive(subscriber: ThrottleConduit<Context, S>(subscriber, scheduler, interval, latest))
        }
    }
}

extension Publisher {
    /// Delivers at most one value in each `interval`, on `scheduler`: the newest one, or else the oldest.
    ///
    /// The first value is delivered as soon as the scheduler can. A value that waits when the stream ends is delivered before the
    /// completion. A value that comes while there is no demand is left out.
    ///
    /// Inside a hosted machine the main queue stands for the session's own scheduler.
    @inlinable
    public func throttle<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool)
        -> Publishers.Throttle<Self, S>
    {
        Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}
