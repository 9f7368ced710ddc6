public import Dispatch
public import FoundationEssentials

/// A scheduler that runs actions concurrently on a dispatch queue.
public final class ConcurrentDispatchQueueScheduler: SchedulerType, Sendable {
    private let scheduling: QueueScheduling

    /// Creates a scheduler that runs actions on `queue`.
    public init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        scheduling = QueueScheduling(queue: queue, leeway: leeway)
    }

    /// Creates a scheduler that runs actions on a new concurrent queue of the given quality of service.
    public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        let queue = DispatchQueue(label: "rx.concurrent_dispatch_queue", qos: qos, attributes: .concurrent)
        self.init(queue: queue, leeway: leeway)
    }

    /// The current time.
    public var now: RxTime { scheduling.now }

    /// Runs `action` on the queue.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        scheduling.enqueue(state, action: action)
    }

    /// Runs `action` on the queue after `dueTime`.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduling.scheduleRelative(state, dueTime: dueTime, action: action)
    }

    /// Runs `action` on the queue after `startAfter` and then after each `period`. If a run is late, the times of the others do not
    /// change, and those whose times are over are skipped.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable {
        scheduling.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
    }
}
