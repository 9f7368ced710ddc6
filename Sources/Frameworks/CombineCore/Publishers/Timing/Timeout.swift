extension Publishers {
    /// A publisher that ends the stream after a period without values.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The maximum time between two values.
        public let interval: Context.SchedulerTimeType.Stride

        /// The scheduler that measures time and delivers the values.
        public let scheduler: Context

        /// The scheduler options for each delivery.
        public let options: Context.SchedulerOptions?

        /// Returns the error of a timeout. If nil, a timeout finishes the stream.
        public let customError: (() -> Upstream.Failure)?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
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

        /// Attaches `subscriber`. The timer starts with the subscription, and restarts with the first request and each
        /// value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: options)
            upstream.receive(
                subscriber: TimeoutConduit<Context, S>(subscriber, scheduler, interval, customError).registered())
        }
    }
}

extension Publisher {
    /// Ends the stream, on `scheduler`, after `interval` without a value: with the error that `customError` returns, or
    /// without an error.
    ///
    /// Values and the completion are delivered on `scheduler`, too.
    ///
    /// Inside a hosted machine, the main queue is replaced by the session's own scheduler.
    @inlinable
    public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        Publishers.Timeout(
            upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}
