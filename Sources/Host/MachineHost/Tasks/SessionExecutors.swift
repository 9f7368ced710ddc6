import CombineCore
import HTTPModel
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The executors of the process, which know the tasks of sessions.
///
/// On a phone, the main actor is the main thread. Here, each session has its own: the main actor of a session is its loop. So a
/// class that is isolated to the main actor (`@MainActor`) runs in turns of its session, and sessions do not wait for each other.
package enum SessionExecutors: ExecutorFactory {
    private static let former = (main: MainActor.executor, concurrent: Task<Never, Never>.defaultExecutor)
    private static let installation: Void = {
        _ = former
        _createExecutors(factory: SessionExecutors.self)
    }()

    /// Makes the loops of sessions the executors of their main actors. Everything else runs where it ran before.
    package static func install() { installation }

    package static var mainExecutor: any MainExecutor { SessionMainExecutor(former.main) }
    package static var defaultExecutor: any TaskExecutor { SessionConcurrentExecutor(former.concurrent) }

    /// The thread pool.
    static var concurrent: any TaskExecutor { former.concurrent }

    /// Resumes a task that sleeps, as a turn of its session.
    static func resume<C: Clock>(_ job: UnownedJob, after delay: C.Duration, _ clock: C, on home: SessionScheduler) {
        guard let delay = delay as? Duration else { return sleep(job, after: delay, clock, on: former.concurrent) }
        // The job does nothing but resume the task, on the executor of the task.
        let resumption = SessionJob(on: home) { job.runSynchronously(on: former.concurrent.asUnownedTaskExecutor()) }
        home.run(resumption, after: delay)
    }

    /// Resumes a task that sleeps: as a turn of the session to which it belongs, or on an executor if it belongs to none.
    fileprivate static func pause<C: Clock>(
        _ job: UnownedJob, after delay: C.Duration, _ clock: C, otherwiseOn executor: any Executor
    ) {
        guard let home = TaskHomes.home(of: job, origin: .elsewhere) else {
            return sleep(job, after: delay, clock, on: executor)
        }
        resume(job, after: delay, clock, on: home)
    }

    /// Resumes a task that sleeps until an instant.
    fileprivate static func pause<C: Clock>(
        _ job: UnownedJob, until instant: C.Instant, _ tolerance: C.Duration?, _ clock: C,
        otherwiseOn executor: any Executor
    ) {
        guard let home = TaskHomes.home(of: job, origin: .elsewhere) else {
            return sleep(job, at: instant, tolerance, clock, on: executor)
        }
        resume(job, after: clock.now.duration(to: instant), clock, on: home)
    }

    private static func sleep<C: Clock>(
        _ job: UnownedJob, after delay: C.Duration, _ clock: C, on executor: any Executor
    ) {
        guard let executor = executor as? any SchedulingExecutor else {
            return former.concurrent.enqueue(ExecutorJob(job))
        }
        executor.enqueue(ExecutorJob(job), after: delay, tolerance: nil, clock: clock)
    }

    private static func sleep<C: Clock>(
        _ job: UnownedJob, at instant: C.Instant, _ tolerance: C.Duration?, _ clock: C, on executor: any Executor
    ) {
        guard let executor = executor as? any SchedulingExecutor else {
            return former.concurrent.enqueue(ExecutorJob(job))
        }
        executor.enqueue(ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
    }
}

/// The executor of the main actor: the loop of the session to which a task belongs, and the main thread for other tasks.
private final class SessionMainExecutor: MainExecutor, SchedulingExecutor {
    private let mainThread: any MainExecutor

    init(_ mainThread: any MainExecutor) {
        self.mainThread = mainThread
    }

    /// Whether the calling thread runs a session.
    private var isInSession: Bool { MainContext.current is MainQueueSubstitute }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard let home = TaskHomes.home(of: job, origin: .session) else { return mainThread.enqueue(ExecutorJob(job)) }
        home.run(SessionJob(on: home) { job.runSynchronously(on: MainActor.sharedUnownedExecutor) })
    }

    func checkIsolated() {
        if !isInSession { mainThread.checkIsolated() }
    }

    func isIsolatingCurrentContext() -> Bool? {
        isInSession ? true : mainThread.isIsolatingCurrentContext()
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        SessionExecutors.pause(UnownedJob(job), after: delay, clock, otherwiseOn: mainThread)
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        SessionExecutors.pause(UnownedJob(job), until: instant, tolerance, clock, otherwiseOn: mainThread)
    }

    func run() throws { try mainThread.run() }
    func runUntil(_ condition: () -> Bool) throws { try mainThread.runUntil(condition) }
    func stop() { mainThread.stop() }
}

/// The thread pool, which remembers the tasks that sessions start there.
private final class SessionConcurrentExecutor: TaskExecutor, SchedulingExecutor {
    private let pool: any TaskExecutor

    init(_ pool: any TaskExecutor) {
        self.pool = pool
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let home = TaskHomes.home(of: job, origin: .elsewhere)
        (home?.loop.taskExecutor ?? pool).enqueue(ExecutorJob(job))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        SessionExecutors.pause(UnownedJob(job), after: delay, clock, otherwiseOn: pool)
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        SessionExecutors.pause(UnownedJob(job), until: instant, tolerance, clock, otherwiseOn: pool)
    }
}
