import StateCapture

// Only the times of a session's scheduler are known in another process. With another scheduler, an operator of a restored
// machine waits for the whole interval again.
extension ResolvedScheduler {
    /// The time of the last action that was scheduled with a delay.
    var lastDue: StoredTime? { adapter?.lastDue }

    /// Puts back the time of an action that is about to be scheduled again.
    func restore(lastDue due: StoredTime?) {
        if let due { adapter?.lastDue = due }
    }

    /// Returns the point in time for a time of the scheduler.
    func stored(_ date: Context.SchedulerTimeType) -> StoredTime? { adapter?.stored(date) }

    /// Returns the time of the scheduler for a point in time.
    func date(_ time: StoredTime?) -> Context.SchedulerTimeType? { time.flatMap { adapter?.date($0) } }

    /// Runs `action` at a time, now if that has passed; after `interval` if the time is unknown.
    @discardableResult
    func schedule(
        at due: StoredTime?, orAfter interval: Context.SchedulerTimeType.Stride, _ action: @escaping () -> Void
    ) -> (any Cancellable)? {
        if let due, let adapter { return adapter.schedule(at: due.duration, action) }
        return schedule(after: interval, action)
    }

    /// Runs `action` repeatedly at `interval`, first at a time; after `interval` if the time is unknown.
    func schedule(
        every interval: Context.SchedulerTimeType.Stride, from first: StoredTime?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        if let first, let adapter { return adapter.schedule(every: interval, from: first, action) }
        return schedule(every: interval, action)
    }
}
