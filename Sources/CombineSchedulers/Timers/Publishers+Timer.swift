public import CombineCore

extension Publishers {
    /// Delivers the moment again and again, on any scheduler, while it is connected.
    ///
    /// Made for timers in tests: on a ``TestScheduler`` it fires as the clock is moved. A moment that a subscriber has
    /// not asked for is not delivered later. There is at most one timer: `connect` while connected returns another
    /// token for the same one. It runs until a token is cancelled, or until neither the publisher nor a token is left.
    public final class Timer<S: Scheduler>: ConnectablePublisher {
        /// When the timer fired, on the scheduler's clock.
        public typealias Output = S.SchedulerTimeType
        /// A timer cannot fail.
        public typealias Failure = Never

        /// How far apart the moments are.
        public let interval: S.SchedulerTimeType.Stride
        /// By how much a moment may be late; nil leaves that to the scheduler.
        public let tolerance: S.SchedulerTimeType.Stride?
        /// What the timer runs on.
        public let scheduler: S
        /// What the scheduler is told about the timer.
        public let options: S.SchedulerOptions?

        private let moments = PassthroughSubject<S.SchedulerTimeType, Never>()
        private let connection = TimerConnection()

        /// Makes the publisher; the timer is started by `connect`.
        public init(
            every interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
            options: S.SchedulerOptions? = nil
        ) {
            self.interval = interval
            self.tolerance = tolerance
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches `subscriber`, which gets moments while this publisher is connected.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Never {
            moments.receive(subscriber: subscriber)
        }

        /// Starts the timer unless it runs already; the first moment comes after one interval.
        public func connect() -> any Cancellable {
            connection.connect { start() }
        }

        private func start() -> any Cancellable {
            if let main = scheduler as? any MainCapable, let substitute = main.substitute {
                return start(main, on: substitute)
            }
            return scheduler.schedule(
                after: scheduler.now.advanced(by: interval), interval: interval,
                tolerance: tolerance ?? scheduler.minimumTolerance, options: options
            ) { [moments, scheduler] in moments.send(scheduler.now) }
        }

        /// Inside a hosted machine "main" means the session.
        private func start<Main: MainCapable>(_ main: Main, on substitute: any MainSubstitute) -> any Cancellable {
            let length = (interval as? Main.SchedulerTimeType.Stride).map { main.duration(of: $0) } ?? .zero
            return MainTimer.start(on: substitute, after: length, every: length) { [moments] in
                if let moment = main.moment(at: substitute.now) as? Output { moments.send(moment) }
            }
        }
    }
}

extension Scheduler {
    /// Makes a publisher that delivers the moment each `interval` on this scheduler once it is connected.
    public func timerPublisher(
        every interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
        options: SchedulerOptions? = nil
    ) -> Publishers.Timer<Self> {
        Publishers.Timer(every: interval, tolerance: tolerance, scheduler: self, options: options)
    }
}
