import CombineCore
public import Dispatch
public import FoundationEssentials
import Synchronization

/// Runs actions on the main queue: immediately if the caller is there and no other action runs or waits, otherwise soon.
///
/// Inside a hosted machine "main" is the session's own loop: an operator that is given this scheduler and subscribed while
/// the machine is wired up or takes a turn runs everything there. An action that is scheduled in a turn runs in the turn,
/// unless it is scheduled from inside another action: that one follows in a turn of its own.
public final class MainScheduler: SchedulerType, Sendable {
    /// The scheduler; there is one.
    public static let instance = MainScheduler()

    /// Like ``instance``, but nothing runs before the caller returns.
    public static let asyncInstance = SerialDispatchQueueScheduler(main: .main)

    private let scheduling = QueueScheduling(queue: .main)

    /// The actions that are pending or running.
    private let actionCount = Atomic(0)

    private init() {}

    /// Stops the process if the caller is neither on the main queue nor, in a hosted machine, in a turn.
    public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
        precondition(
            MainContext.current != nil || DispatchQueue.isCurrentMain,
            errorMessage
                ?? "expected to run on the main queue or in a turn of a hosted machine, where `observe(on:)` leads")
    }

    /// Stops the process if the caller is not where UI code would run; on a server the same as
    /// ``ensureExecutingOnScheduler(errorMessage:)``.
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        ensureExecutingOnScheduler(errorMessage: errorMessage)
    }

    /// The present moment.
    public var now: RxTime { substitute?.now ?? Date() }

    /// Runs `action` at once if the caller is on the main queue, otherwise soon.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        if let substitute { return substitute.schedule(state, action: action) }
        let isFirst = actionCount.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue == 0
        guard isFirst, DispatchQueue.isCurrentMain else {
            return scheduling.schedule(state, action: action, finish: finishAction)
        }
        defer { finishAction() }
        return action(state)
    }

    private func finishAction() {
        actionCount.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    /// Runs `action` once `dueTime` has passed.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        substitute?.scheduleRelative(state, dueTime: dueTime, action: action)
            ?? scheduling.scheduleRelative(state, dueTime: dueTime, leeway: .nanoseconds(0), action: action)
    }

    private var substitute: SubstituteScheduler? {
        MainContext.currentBox.map { SubstituteScheduler($0, inlining: .unlessBusy) }
    }
}

extension MainScheduler: ResolvableScheduler {
    var resolved: any SchedulerType { substitute ?? self }
}
