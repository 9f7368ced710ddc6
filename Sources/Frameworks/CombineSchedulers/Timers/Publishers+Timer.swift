public import CombineCore

extension Publishers {
    /// A publisher that repeatedly sends the current time of a scheduler while it is connected.
    ///
    /// Use it for timers in tests: on a ``TestScheduler`` it fires as the clock is advanced. Values without demand are
    /// dropped. There is at most one timer: connecting again returns another token for the same timer. It runs until a
    /// token is cancelled, or until the publisher and all tokens are released.
    public final class Timer<S: Scheduler>: ConnectablePublisher {
        /// The time at which the timer fired.
        public typealias Output = S.SchedulerTimeType
        /// A timer never fails.
        public typealias Failure = Never

        /// The interval between values.
        public let interval: S.SchedulerTimeType.Stride
        /// The tolerance of the timer. Nil means the minimum tolerance of the scheduler.
        public let tolerance: S.SchedulerTimeType.Stride?
        /// The scheduler that the timer runs on.
        public let scheduler: S
        /// The options that are passed to the scheduler.
        public let options: S.SchedulerOptions?

        private let moments = PassthroughSubject<S.SchedulerTimeType, Never>(uncaptured: ())
        private let connection = TimerConnection()

        /// Creates a publisher. `connect` starts the timer.
        public init(
            every interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
            options: S.SchedulerOptions? = nil
        ) {
            self.interval = interval
            self.tolerance = tolerance
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches `subscriber`, which receives values while this publisher is connected.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Never {
            moments.receive(subscriber: subscriber)
        }

        /// Starts the timer if it is not running. The first value is sent after one interval.
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

        /// Starts the timer on the session's scheduler, which replaces the main queue inside a hosted machine.
        private func start<Main: MainCapable>(_ main: Main, on substitute: any MainSubstitute) -> any Cancellable {
            let length = (interval as? Main.SchedulerTimeType.Stride).map { main.duration(of: $0) } ?? .zero
            return MainTimer.startCaptured(on: substitute, every: length) { [moments] in
                if let moment = main.moment(at: substitute.now) as? Output { moments.send(moment) }
            }
        }
    }
}

extension Scheduler {
    /// Returns a publisher that sends the time of this scheduler at each `interval` while it is connected.
    public func timerPublisher(
        every interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
        options: SchedulerOptions? = nil
    ) -> Publishers.Timer<Self> {
        Publishers.Timer(every: interval, tolerance: tolerance, scheduler: self, options: options)
    }
}
