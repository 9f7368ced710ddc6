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
        guard let adapter = resolved.adapter else {
            return scheduler.schedule(
                after: scheduler.now.advanced(by: interval), interval: interval,
                tolerance: tolerance ?? scheduler.minimumTolerance, options: options
            ) { action(scheduler.now) }
        }
        return adapter.scheduleEvery(interval) { action(resolved.now) }
    }
}
