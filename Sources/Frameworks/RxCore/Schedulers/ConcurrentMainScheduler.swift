import CombineCore
public import Dispatch
public import FoundationEssentials

/// A scheduler that runs actions on the main queue: immediately if the caller is there, even if other actions are
/// pending, and asynchronously otherwise. It suits `subscribe(on:)`, where ``MainScheduler`` would queue the
/// subscription without need.
///
/// Inside a hosted machine, the main queue is the session's loop, as with ``MainScheduler``.
public final class ConcurrentMainScheduler: SchedulerType, Sendable {
    /// The shared instance.
    public static let instance = ConcurrentMainScheduler()

    private let scheduling = QueueScheduling(queue: .main, inlining: .always)

    private init() {}

    /// The current time.
    public var now: RxTime { scheduling.now }

    /// Runs `action` immediately if the caller is on the main queue, and asynchronously otherwise.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        if let substitute = scheduling.substitute { return substitute.schedule(state, action: action) }
        return DispatchQueue.isCurrentMain ? action(state) : scheduling.enqueue(state, action: action)
    }

    /// Runs `action` after `dueTime`.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduling.scheduleRelative(state, dueTime: dueTime, action: action)
    }

    /// Runs `action` after `startAfter` and then after each `period`. If a run is late, the times of the others do not
    /// change, and those whose times are over are skipped.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable {
        scheduling.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
    }
}

extension ConcurrentMainScheduler: ResolvableScheduler {
    var resolved: any SchedulerType { scheduling.substitute ?? self }
}
