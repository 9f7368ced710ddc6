extension Publishers {
    /// Delivers values and completion some time after they came.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How much later they are delivered.
        public let interval: Context.SchedulerTimeType.Stride

        /// By how much the time may be missed.
        public let tolerance: Context.SchedulerTimeType.Stride

        /// Where they are delivered.
        public let scheduler: Context

        /// What the scheduler is told about each delivery.
        public let options: Context.SchedulerOptions?

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
            tolerance: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions? = nil
        ) {
            self.upstream = upstream
            self.interval = interval
            self.tolerance = tolerance
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches `subscriber`, which gets the subscription at once and everything else later.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: options)
            upstream.receive(subscriber: RelayConduit<Context, S>(subscriber, scheduler, delay: (interval, tolerance)))
        }
    }
}

extension Publisher {
    /// Delivers values and completion on `scheduler`, `interval` after they came.
    ///
    /// Inside a hosted machine the main queue stands for the session's own scheduler.
    @inlinable
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        Publishers.Delay(
            upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
            scheduler: scheduler, options: options)
    }
}
