public import CombineCore
import Locking

/// A scheduler whose clock is advanced manually.
///
/// No action runs before the clock is advanced, not even one that is scheduled to run as soon as possible. Due actions
/// run in the order of their times and, at the same time, in the order in which they were scheduled. While an action
/// runs, the clock shows its time. An action may schedule, cancel, and even advance the clock.
public final class TestScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler, Sendable
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    private struct State {
        var now: SchedulerTimeType
        var agenda = Agenda<SchedulerTimeType>()
        var executors = TestExecutors()

        mutating func add(at date: SchedulerTimeType, number: UInt, _ action: @escaping () -> Void) {
            agenda.add(at: date, number: number, action)
            executors.noteCurrent()
        }
    }

    private let state: Lock<State>

    /// Zero.
    public var minimumTolerance: SchedulerTimeType.Stride { .zero }

    /// Creates a scheduler whose clock shows `now`.
    public init(now: SchedulerTimeType) {
        state = Lock(State(now: now))
    }

    /// The current time of the clock.
    public var now: SchedulerTimeType {
        state.withLock { $0.now }
    }

    /// Advances the clock by `stride` and runs due actions, including those that are scheduled meanwhile.
    ///
    /// Without an argument, it runs the actions that are due now.
    public func advance(by stride: SchedulerTimeType.Stride = .zero) {
        advance(to: now.advanced(by: stride))
    }

    /// Advances the clock to `instant` and runs due actions. Does nothing if `instant` is in the past.
    public func advance(to instant: SchedulerTimeType) {
        while runNext(until: instant) {}
        moveClock(to: instant)
    }

    /// Advances the clock until no action is scheduled. Does not return if a repeating timer is never cancelled.
    public func run() {
        while let date = nextDate {
            advance(to: max(now, date))
        }
    }

    /// The executors of the tasks of tests that have scheduled something.
    var executors: [TestExecutor] { state.withLock { $0.executors.all } }

    package var nextDate: SchedulerTimeType? {
        state.withLock { $0.agenda.nextDate }
    }

    /// Runs the next action that is due at `instant`, with the clock at its time.
    ///
    /// - Returns: Whether an action was due.
    func runNext(until instant: SchedulerTimeType) -> Bool {
        let next = state.withLock { state in
            let next = state.agenda.takeNext(until: instant)
            if let next { state.now = max(state.now, next.date) }
            return next
        }
        // Outside the lock, because actions may schedule and cancel.
        next?.action()
        return next != nil
    }

    /// Advances the clock without running actions. The clock never goes backwards.
    func moveClock(to instant: SchedulerTimeType) {
        state.withLock { $0.now = max($0.now, instant) }
    }

    /// Runs `action` the next time that the clock is advanced.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        state.withLock { $0.add(at: $0.now, number: $0.agenda.nextNumber(), action) }
    }

    /// Runs `action` when the clock reaches `date`.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        state.withLock { $0.add(at: date, number: $0.agenda.nextNumber(), action) }
    }

    /// Runs `action` when the clock reaches `date` and then at each `interval`, until the token is cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let number = state.withLock { $0.agenda.nextNumber() }
        repeatedly(at: date, interval, number, action)
        return AnyCancellable { [state] in
            let removed = state.withLock { $0.agenda.remove(number) }
            withExtendedLifetime(removed) {}
        }
    }

    /// Schedules one repetition. All repetitions use the same number, so that they keep their position among actions at
    /// the same time, and the token can find them.
    private func repeatedly(
        at date: SchedulerTimeType, _ interval: SchedulerTimeType.Stride, _ number: UInt, _ action: @escaping () -> Void
    ) {
        state.withLock {
            $0.add(at: date, number: number) { [weak self] in
                // Before the action, so that the action can cancel the next repetition.
                self?.repeatedly(at: date.advanced(by: interval), interval, number, action)
                action()
            }
        }
    }
}

/// A ``TestScheduler`` with the types of time and options of the scheduler type `S`.
public typealias TestSchedulerOf<S: Scheduler> = TestScheduler<S.SchedulerTimeType, S.SchedulerOptions>
