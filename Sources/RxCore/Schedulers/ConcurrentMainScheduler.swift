import CombineCore
public import Dispatch
public import FoundationEssentials

/// Runs actions on the main queue: immediately if the caller is there, whatever else waits, otherwise soon. It suits
/// `subscribe(on:)`, where ``MainScheduler`` would wait for its turn without need.
///
/// Inside a hosted machine "main" is the session's own loop, as with ``MainScheduler``.
public final class ConcurrentMainScheduler: SchedulerType, Sendable {
    /// The scheduler; there is one.
    public static let instance = ConcurrentMainScheduler()

    private let scheduling = QueueScheduling(queue: .main)

    private init() {}

    /// The present moment.
    public var now: RxTime { substitute?.now ?? Date() }

    /// Runs `action` immediately if the caller is on the main queue, otherwise soon.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        if let substitute { return substitute.schedule(state, action: action) }
        return DispatchQueue.isCurrentMain ? action(state) : scheduling.schedule(state, action: action)
    }

    /// Runs `action` once `dueTime` has passed.
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
