extension Publishers {
    /// Ends the stream when no value has come for some time.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How long a value may take.
        public let interval: Context.SchedulerTimeType.Stride

        /// Where the time comes from, and where values are delivered.
        public let scheduler: Context

        /// What the scheduler is told about each delivery.
        public let options: Context.SchedulerOptions?

        /// Makes the error to fail with; without it the stream finishes.
        public let customError: (() -> Upstream.Failure)?

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
            options: Context.SchedulerOptions?, customError: (() -> Upstream.Failure)?
        ) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.options = options
            self.customError = customError
        }

        /// Attaches `subscriber`; the time runs from the subscription, and anew from the first request and each value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: options)
            upstream.receive(subscriber: TimeoutConduit<Context, S>(subscriber, scheduler, interval, customError))
        }
    }
}

extension Publisher {
    /// Ends the stream, on `scheduler`, when no value has come for `interval`: with what `customError` makes, or without an error.
    ///
    /// Values and the completion are delivered on `scheduler`, too.
    ///
    /// Inside a hosted machine the main queue stands for the session's own scheduler.
    @inlinable
    public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        Publishers.Timeout(
            upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}
