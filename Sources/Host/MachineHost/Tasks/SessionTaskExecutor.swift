import HTTPModel
@_spi(ExperimentalScheduling) import _Concurrency

/// The executor of a session's tasks outside of actors. Their pauses (`Task.sleep`) follow the session's scheduler.
final class SessionTaskExecutor: TaskExecutor, SchedulingExecutor {
    private let scheduler: SessionScheduler
    /// Whether tasks run on the session's loop, each part as a turn.
    private let runsOnLoop: Bool

    init(_ scheduler: SessionScheduler, runsOnLoop: Bool) {
        self.scheduler = scheduler
        self.runsOnLoop = runsOnLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A child of a task begins here.
        if let task = RuntimeTask(of: job) { TaskHomes.remember(task, scheduler) }
        guard runsOnLoop else {
            return (scheduler.loop.taskExecutor ?? SessionExecutors.concurrent).enqueue(ExecutorJob(job))
        }
        scheduler.run(SessionJob(on: scheduler) { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) })
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        SessionExecutors.resume(UnownedJob(job), after: delay, clock, on: scheduler)
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        SessionExecutors.resume(UnownedJob(job), after: clock.now.duration(to: instant), clock, on: scheduler)
    }
}
