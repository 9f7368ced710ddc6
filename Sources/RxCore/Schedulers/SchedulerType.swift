public import Dispatch
public import FoundationEssentials

/// A moment on a scheduler's clock.
public typealias RxTime = Date

/// A length of time.
public typealias RxTimeInterval = DispatchTimeInterval

/// Runs actions, at once or soon.
public protocol ImmediateSchedulerType {
    /// Runs `action` as soon as possible, with `state`.
    ///
    /// - Returns: What keeps the action from running, or ends what it began.
    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable
}

/// Runs actions, also later.
public protocol SchedulerType: ImmediateSchedulerType {
    /// The present moment on the scheduler's clock.
    var now: RxTime { get }

    /// Runs `action` with `state` once `dueTime` has passed.
    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` once `startAfter` has passed and then after each `period`, each time with the state that it returned
    /// before, until it is disposed of.
    func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable
}

extension SchedulerType {
    /// Schedules the action again each time that it has run.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable {
        let timer = SerialDisposable()
        func arm(_ state: StateType, after delay: RxTimeInterval) {
            guard !timer.isDisposed else { return }
            // In place before the action can run: on another thread it may have armed the next round by the time that
            // this call returns, and must not lose it to this round's disposable.
            let round = SingleAssignmentDisposable()
            timer.disposable = round
            round.setDisposable(
                scheduleRelative(state, dueTime: delay) { [weak timer] state in
                    guard let timer, !timer.isDisposed else { return Disposables.create() }
                    arm(action(state), after: period)
                    return Disposables.create()
                })
        }
        arm(state, after: startAfter)
        return timer
    }

    /// Runs `action` once `dueTime` has passed.
    func after(_ dueTime: RxTimeInterval, _ action: @escaping () -> Void) -> any Disposable {
        scheduleRelative((), dueTime: dueTime) {
            action()
            return Disposables.create()
        }
    }
}

extension ImmediateSchedulerType {
    /// Runs `action` with `state`, and again each time that it calls the closure that it is given.
    public func scheduleRecursive<State>(_ state: State, action: @escaping (State, (State) -> Void) -> Void)
        -> any Disposable
    {
        let recursion = RecursiveAction(self, action: action)
        recursion.run(state)
        return recursion
    }

    /// Runs `action` as soon as possible.
    func soon(_ action: @escaping () -> Void) -> any Disposable {
        schedule(()) {
            action()
            return Disposables.create()
        }
    }
}

extension DispatchTimeInterval {
    /// The length in nanoseconds; the largest number for ``DispatchTimeInterval/never``.
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
        return overflow ? (count < 0 ? .min : .max) : product
    }

    /// The length in seconds.
    var seconds: Double { Double(nanoseconds) / 1_000_000_000 }

    /// What is left of this length once the given number of seconds has passed, never less than nothing.
    func reduced(by seconds: Double) -> DispatchTimeInterval {
        .nanoseconds(Int(clamping: max(0, nanoseconds - Int64(max(0, seconds) * 1_000_000_000))))
    }
}
