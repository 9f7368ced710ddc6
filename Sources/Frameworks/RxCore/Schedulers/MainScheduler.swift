import CombineCore
public import Dispatch
public import FoundationEssentials
import Synchronization

/// A scheduler that runs actions on the main queue: immediately if the caller is there and no other action is running
/// or pending, and asynchronously otherwise.
///
/// Inside a hosted machine, the main queue is the session's loop: an operator with this scheduler, subscribed while the
/// machine is wired or during a turn, runs everything there. An action that is scheduled in a turn runs in that turn.
/// An action that is scheduled from inside another action runs in a later turn.
public final class MainScheduler: SchedulerType, Sendable {
    /// The shared instance.
    public static let instance = MainScheduler()

    /// A scheduler like ``instance`` that never runs an action before the call returns.
    public static let asyncInstance = SerialDispatchQueueScheduler(main: .main)

    private let scheduling = QueueScheduling(queue: .main, inlining: .unlessBusy)

    /// The number of pending and running actions.
    private let actionCount = Atomic(0)

    /// Creates a scheduler that counts its own pending actions only; see ``instance``.
    public init() {}

    /// Stops the process unless the caller is on the main queue or, in a hosted machine, in a turn.
    public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
        precondition(
            MainContext.isSubstituted || DispatchQueue.isCurrentMain,
            errorMessage
                ?? "expected to run on the main queue or in a turn of a hosted machine; use observe(on:) to get there")
    }

    /// Stops the process unless the caller is where UI code would run. On a server, this is
    /// ``ensureExecutingOnScheduler(errorMessage:)``.
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        ensureExecutingOnScheduler(errorMessage: errorMessage)
    }

    /// The current time.
    public var now: RxTime { scheduling.now }

    /// Runs `action` immediately if the caller is on the main queue and no other action is running or pending, and
    /// asynchronously otherwise.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        if let substitute = scheduling.substitute { return substitute.schedule(state, action: action) }
        // Queued actions count, too: running this one inline would overtake an action that another thread has queued.
        let isFirst = actionCount.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue == 0
        guard isFirst, DispatchQueue.isCurrentMain else {
            return scheduling.enqueue(state, action: action, finish: finishAction)
        }
        defer { finishAction() }
        return action(state)
    }

    private func finishAction() {
        actionCount.wrappingSubtract(1, ordering: .sequentiallyConsistent)
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

extension MainScheduler: ResolvableScheduler {
    var resolved: any SchedulerType { scheduling.substitute ?? self }
}
