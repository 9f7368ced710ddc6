public import Dispatch
public import FoundationEssentials

/// A point in time on a scheduler's clock.
public typealias RxTime = Date

/// A duration.
public typealias RxTimeInterval = DispatchTimeInterval

/// A type that runs actions as soon as possible.
public protocol ImmediateSchedulerType {
    /// Runs `action` with `state` as soon as possible.
    ///
    /// - Returns: A disposable that cancels the action, or disposes of the result of the action if it has run.
    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable
}

/// A type that runs actions as soon as possible or after a delay.
public protocol SchedulerType: ImmediateSchedulerType {
    /// The current time on the scheduler's clock.
    var now: RxTime { get }

    /// Runs `action` with `state` after `dueTime`.
    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` after `startAfter` and then after each `period`, until the result is disposed of. Each run
    /// receives the state that the previous one returned.
    func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable
}

extension SchedulerType {
    /// Schedules each run before the previous one begins, at the times of a grid. If the action takes longer than a period,
    /// or the scheduler is late, the runs whose times are over are skipped. On a virtual scheduler, each run follows a
    /// period after the previous one has begun.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable {
        let periodic = PeriodicAction(state, on: self, after: startAfter, every: period, action: action)
        periodic.begin(after: startAfter)
        return periodic
    }

    /// Runs `action` after `dueTime`.
    func schedule(after dueTime: RxTimeInterval, _ action: @escaping () -> Void) -> any Disposable {
        scheduleRelative((), dueTime: dueTime) {
            action()
            return Disposables.create()
        }
    }
}

extension ImmediateSchedulerType {
    /// Runs `action` with `state`, and again each time the action calls the closure that it receives.
    public func scheduleRecursive<State>(_ state: State, action: @escaping (State, (State) -> Void) -> Void)
        -> any Disposable
    {
        let recursion = RecursiveAction(self, action: action)
        recursion.run(state)
        return recursion
    }

    /// Runs `action` as soon as possible.
    func schedule(_ action: @escaping () -> Void) -> any Disposable {
        schedule(()) {
            action()
            return Disposables.create()
        }
    }
}

extension DispatchTimeInterval {
    /// The duration in nanoseconds. The maximum for ``DispatchTimeInterval/never``.
    var nanoseconds: Int64 {
        let (count, unit): (Int, Int64)
        switch self {
        case .seconds(let value): (count, unit) = (value, 1_000_000_000)
        case .milliseconds(let value): (count, unit) = (value, 1_000_000)
        case .microseconds(let value): (count, unit) = (value, 1_000)
        case .nanoseconds(let value): (count, unit) = (value, 1)
        case .never: return .max
        @unknown default: return .max
        }
        let (product, overflow) = Int64(count).multipliedReportingOverflow(by: unit)
        // Clamped: a duration that does not fit never elapses in practice.
        return overflow ? (count < 0 ? .min : .max) : product
    }

    /// The duration in seconds.
    var seconds: Double { Double(nanoseconds) / 1_000_000_000 }

    /// Returns the rest of the duration after the given number of nanoseconds, at least zero.
    func reduced(by elapsed: Int64) -> DispatchTimeInterval {
        .nanoseconds(Int(clamping: max(0, nanoseconds - max(0, elapsed))))
    }
}
