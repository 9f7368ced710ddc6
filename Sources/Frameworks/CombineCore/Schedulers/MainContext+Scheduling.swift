extension MainContext {
    /// Returns the current time on the clock that a timing operator would use if it were subscribed now with
    /// `scheduler`.
    package static func now<S: Scheduler>(of scheduler: S) -> S.SchedulerTimeType {
        ResolvedScheduler(scheduler, options: nil).now
    }

    /// Runs `action` at each interval, with the current time, until the returned token is cancelled.
    ///
    /// It runs on the scheduler that a timing operator would use if it were subscribed now with `scheduler`.
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
