extension Publishers {
    /// Delivers values and completion on a scheduler, in the order in which they came.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Where they are delivered.
        public let scheduler: Context

        /// What the scheduler is told about each delivery.
        public let options: Context.SchedulerOptions?

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches `subscriber`, which gets the subscription at once and everything else on the scheduler.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: options)
            upstream.receive(subscriber: RelayConduit<Context, S>(subscriber, scheduler, delay: nil))
        }
    }
}

extension Publisher {
    /// Delivers values and completion on `scheduler`, in the order in which they come.
    ///
    /// Inside a hosted machine the main queue stands for the session's own scheduler.
    @inlinable
    public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
        -> Publishers.ReceiveOn<Self, S>
    {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
    }
}
