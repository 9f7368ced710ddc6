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

    private let scheduling = QueueScheduling(queue: .main)

    private init() {}

    /// The current time.
    public var now: RxTime { substitute?.now ?? Date() }

    /// Runs `action` immediately if the caller is on the main queue, and asynchronously otherwise.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        if let substitute { return substitute.schedule(state, action: action) }
        return DispatchQueue.isCurrentMain ? action(state) : scheduling.schedule(state, action: action)
    }

    /// Runs `action` after `dueTime`.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        substitute?.scheduleRelative(state, dueTime: dueTime, action: action)
            ?? scheduling.scheduleRelative(state, dueTime: dueTime, leeway: .nanoseconds(0), action: action)
    }

    private var substitute: SubstituteScheduler? {
        MainContext.currentBox.map { SubstituteScheduler($0, inlining: .always) }
    }
}

extension ConcurrentMainScheduler: ResolvableScheduler {
    var resolved: any SchedulerType { substitute ?? self }
}
