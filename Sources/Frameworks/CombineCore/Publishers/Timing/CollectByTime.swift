extension Publishers {
    /// A publisher that collects the values of each interval into an array.
    public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// An array of the values of an interval.
        public typealias Output = [Upstream.Output]
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The interval, and the maximum length of an array.
        public let strategy: Publishers.TimeGroupingStrategy<Context>

        /// The scheduler options for each delivery.
        public let options: Context.SchedulerOptions?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.strategy = strategy
            self.options = options
        }

        /// Attaches `subscriber`. The first interval starts with the subscription.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, S.Input == [Upstream.Output] {
            upstream.receive(
                subscriber: CollectByTimeConduit<Upstream.Output, Context, S>(subscriber, strategy, options)
                    .registered())
        }
    }
}

extension Publishers {
    /// The rule by which values are grouped into arrays.
    public enum TimeGroupingStrategy<Context: Scheduler> {
        /// One array for each interval in which a value arrived.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// One array for each interval in which a value arrived, and whenever the given number of values has arrived.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
    }
}

extension Publisher {
    /// Collects values into arrays according to `strategy`.
    ///
    /// When this publisher finishes, the remaining values are published; a failure discards them. An array waits for
    /// demand and collects further values meanwhile.
    ///
    /// Inside a hosted machine, the main queue is replaced by the session's own scheduler.
    @inlinable
    public func collect<S: Scheduler>(
        _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
    ) -> Publishers.CollectByTime<Self, S> {
        Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
    }
}
