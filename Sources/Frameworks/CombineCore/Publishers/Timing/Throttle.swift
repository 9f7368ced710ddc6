extension Publishers {
    /// A publisher that publishes at most one value per interval.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The minimum time between two deliveries.
        public let interval: Context.SchedulerTimeType.Stride

        /// The scheduler that measures time and delivers the values.
        public let scheduler: Context

        /// Whether to publish the newest value of an interval instead of the oldest.
        public let latest: Bool

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.latest = latest
        }

        /// Attaches `subscriber` and requests unlimited demand from upstream.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: nil)
            upstream.receive(
                subscriber: ThrottleConduit<Context, S>(subscriber, scheduler, interval, latest).registered())
        }
    }
}

extension Publisher {
    /// Publishes at most one value per `interval`, on `scheduler`: the newest one if `latest` is true, otherwise the
    /// oldest.
    ///
    /// The first value is delivered as soon as the scheduler runs. A value that is waiting when the stream ends is
    /// delivered before the completion. A value that arrives without demand is dropped.
    ///
    /// Inside a hosted machine, the main queue is replaced by the session's own scheduler.
    @inlinable
    public func throttle<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool)
        -> Publishers.Throttle<Self, S>
    {
        Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}
