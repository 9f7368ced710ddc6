extension Publishers {
    /// A publisher that delivers values and the completion on a scheduler, in order.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The scheduler that delivers values and the completion.
        public let scheduler: Context

        /// The scheduler options for each delivery.
        public let options: Context.SchedulerOptions?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches `subscriber`. It receives the subscription synchronously, and everything else on the scheduler.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: options)
            upstream.receive(subscriber: RelayConduit<Context, S>(subscriber, scheduler, delay: nil).registered())
        }
    }
}

extension Publisher {
    /// Delivers values and the completion on `scheduler`, in order.
    ///
    /// Inside a hosted machine, the main queue is replaced by the session's own scheduler.
    @inlinable
    public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
        -> Publishers.ReceiveOn<Self, S>
    {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
    }
}
