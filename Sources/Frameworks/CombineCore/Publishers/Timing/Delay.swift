extension Publishers {
    /// A publisher that delays values and the completion.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The delay.
        public let interval: Context.SchedulerTimeType.Stride

        /// The tolerance of the delay.
        public let tolerance: Context.SchedulerTimeType.Stride

        /// The scheduler that delivers values and the completion.
        public let scheduler: Context

        /// The scheduler options for each delivery.
        public let options: Context.SchedulerOptions?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
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

        /// Attaches `subscriber`. Only values and the completion are delayed, not the subscription.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: options)
            upstream.receive(
                subscriber: RelayConduit<Context, S>(subscriber, scheduler, delay: (interval, tolerance)).registered())
        }
    }
}

extension Publisher {
    /// Delivers values and the completion on `scheduler`, `interval` after their arrival.
    ///
    /// Inside a hosted machine, the main queue is replaced by the session's own scheduler.
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
