extension Publishers {
    /// Delivers the values in arrays, one for each interval.
    public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values of an interval.
        public typealias Output = [Upstream.Output]
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How long an array gathers values, and how many at most.
        public let strategy: Publishers.TimeGroupingStrategy<Context>

        /// What the scheduler is told about each delivery.
        public let options: Context.SchedulerOptions?

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.strategy = strategy
            self.options = options
        }

        /// Attaches `subscriber`; the first interval begins with the subscription.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, S.Input == [Upstream.Output] {
            upstream.receive(
                subscriber: CollectByTimeConduit<Upstream.Output, Context, S>(subscriber, strategy, options))
        }
    }
}

extension Publishers {
    /// How values are gathered into arrays.
    public enum TimeGroupingStrategy<Context: Scheduler> {
        /// An array for each interval in which a value came.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// An array for each interval in which a value came, and whenever there are as many values.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
    }
}

extension Publisher {
    /// Delivers the values in arrays, as `strategy` says.
    ///
    /// At the end of the stream the values that are left are delivered; a failure passes them by. An array waits until there is demand
    /// for it, and goes on gathering meanwhile.
    ///
    /// Inside a hosted machine the main queue stands for the session's own scheduler.
    @inlinable
    public func collect<S: Scheduler>(
        _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
    ) -> Publishers.CollectByTime<Self, S> {
        Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
    }
}
