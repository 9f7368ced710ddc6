extension MainContext {
    /// The present moment on the clock that a timing operator would use if it were subscribed now with `scheduler`.
    package static func now<S: Scheduler>(of scheduler: S) -> S.SchedulerTimeType {
        ResolvedScheduler(scheduler, options: nil).now
    }

    /// Runs `action` after each interval, on the scheduler that a timing operator would use if it were subscribed now
    /// with `scheduler`, until the token is cancelled. The action is told the time.
    package static func schedule<S: Scheduler>(
        each interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride?, on scheduler: S,
        options: S.SchedulerOptions?, _ action: @escaping (S.SchedulerTimeType) -> Void
    ) -> any Cancellable {
        let resolved = ResolvedScheduler(scheduler, options: options)
        guard let substitution = resolved.substitution else {
            return scheduler.schedule(
                after: scheduler.now.advanced(by: interval), interval: interval,
                tolerance: tolerance ?? scheduler.minimumTolerance, options: options
            ) { action(scheduler.now) }
        }
        let repetition = Repetition(substitution, interval: interval, fallback: scheduler, action)
        repetition.arm()
        return repetition
    }
}

/// Schedules itself anew each time that it has run. Confined to the substitute's thread, where it is made.
private final class Repetition<S: Scheduler>: Cancellable {
    private let substitution: MainSubstitution<S>
    private let interval: S.SchedulerTimeType.Stride
    private let fallback: S
    private var action: ((S.SchedulerTimeType) -> Void)?
    private var token: (any Cancellable)?

    init(
        _ substitution: MainSubstitution<S>, interval: S.SchedulerTimeType.Stride, fallback: S,
        _ action: @escaping (S.SchedulerTimeType) -> Void
    ) {
        self.substitution = substitution
        self.interval = interval
        self.fallback = fallback
        self.action = action
    }

    func arm() {
        token = substitution.scheduleAfter(interval) { [self] in
            guard let action else { return }
            arm()
            action(substitution.now() ?? fallback.now)
        }
    }

    func cancel() {
        action = nil
        token?.cancel()
        token = nil
    }
}
