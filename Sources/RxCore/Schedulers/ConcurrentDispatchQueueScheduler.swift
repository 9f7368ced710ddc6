public import Dispatch
public import FoundationEssentials

/// Runs actions on a concurrent dispatch queue, several at a time.
public final class ConcurrentDispatchQueueScheduler: SchedulerType, Sendable {
    private let scheduling: QueueScheduling
    private let leeway: DispatchTimeInterval

    /// Runs actions on `queue`.
    public init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        scheduling = QueueScheduling(queue: queue)
        self.leeway = leeway
    }

    /// Runs actions on a concurrent queue of that quality of service.
    public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        let queue = DispatchQueue(label: "rx.concurrent_dispatch_queue", qos: qos, attributes: .concurrent)
        self.init(queue: queue, leeway: leeway)
    }

    /// The present moment.
    public var now: RxTime { Date() }

    /// Runs `action` on the queue.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        scheduling.schedule(state, action: action)
    }

    /// Runs `action` on the queue once `dueTime` has passed.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduling.scheduleRelative(state, dueTime: dueTime, leeway: leeway, action: action)
    }
}
