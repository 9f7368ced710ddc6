import Dispatch
import Locking

/// An action that a scheduler runs at the times of a grid.
///
/// The next run is scheduled before the action runs. So it comes first among the actions of its time, and neither the
/// duration of the action nor a delay of the scheduler accumulates. While the action is running, as on a concurrent
/// scheduler, at most one further run waits for its end; others are dropped.
///
/// On a ``VirtualClock``, the next run follows a full period after this one.
final class PeriodicAction<State>: Disposable {
    private struct Progress {
        var isRunning = false
        var isDue = false
    }

    private let scheduler: any SchedulerType
    private let clock: SchedulerClock
    private let period: RxTimeInterval
    private let action: (State) -> State
    private let timer = SerialDisposable()
    private let lock = WordLock()
    /// Guarded by `lock`.
    private var progress = Progress()
    /// The reading of the clock at the next run. Changed only before that run is scheduled.
    private var due: Int64
    /// Used only while the action is running.
    private var state: State

    init(
        _ state: State, on scheduler: any SchedulerType, after delay: RxTimeInterval, every period: RxTimeInterval,
        action: @escaping (State) -> State
    ) {
        self.state = state
        self.scheduler = scheduler
        self.period = period
        self.action = action
        clock = SchedulerClock(scheduler)
        due = clock.reading(after: delay)
    }

    /// Schedules the first run after `delay`, and then the others.
    func begin(after delay: RxTimeInterval) {
        let next = SingleAssignmentDisposable()
        // Assigned before the run can begin, because the run assigns its successor.
        timer.disposable = next
        next.setDisposable(scheduler.schedule(after: delay) { [self] in fire() })
    }

    func dispose() {
        timer.dispose()
    }

    private func fire() {
        if timer.isDisposed { return }
        due = clock.reading(following: due, every: period)
        begin(after: clock.interval(until: due))
        let isFirst = lock.withLock {
            defer { progress = Progress(isRunning: true, isDue: progress.isRunning) }
            return !progress.isRunning
        }
        guard isFirst else { return }
        repeat {
            if !timer.isDisposed { state = action(state) }
        } while takeDueRun()
    }

    private func takeDueRun() -> Bool {
        lock.withLock {
            progress = Progress(isRunning: progress.isDue)
            return progress.isRunning
        }
    }
}
