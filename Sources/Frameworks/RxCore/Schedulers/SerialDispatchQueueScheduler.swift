import CombineCore
public import Dispatch
public import FoundationEssentials

/// A scheduler that runs actions serially on a dispatch queue.
public final class SerialDispatchQueueScheduler: SchedulerType, Sendable {
    private let scheduling: QueueScheduling

    private init(_ queue: DispatchQueue, leeway: DispatchTimeInterval, isMain: Bool) {
        scheduling = QueueScheduling(queue: queue, leeway: leeway, inlining: isMain ? .never : nil)
    }

    /// Creates a scheduler for the main queue, which is already serial.
    convenience init(main queue: DispatchQueue) {
        self.init(queue, leeway: .nanoseconds(0), isMain: true)
    }

    /// Creates a scheduler with a new serial queue.
    public convenience init(
        internalSerialQueueName: String, serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        let queue = DispatchQueue(label: internalSerialQueueName)
        serialQueueConfiguration?(queue)
        self.init(queue, leeway: leeway, isMain: false)
    }

    /// Creates a scheduler with a new serial queue that targets `queue`. The main queue is used directly.
    public convenience init(
        queue: DispatchQueue, internalSerialQueueName: String, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        if queue.isMain {
            self.init(queue, leeway: leeway, isMain: true)
        } else {
            self.init(DispatchQueue(label: internalSerialQueueName, target: queue), leeway: leeway, isMain: false)
        }
    }

    /// Creates a scheduler with a new serial queue that targets the global queue of the given quality of service.
    public convenience init(
        qos: DispatchQoS, internalSerialQueueName: String = "rx.global_dispatch_queue.serial",
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            queue: .global(qos: qos.qosClass), internalSerialQueueName: internalSerialQueueName, leeway: leeway)
    }

    /// The current time.
    public var now: RxTime { scheduling.now }

    /// Runs `action` on the queue, never before this call returns.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        scheduling.substitute?.schedule(state, action: action) ?? scheduling.enqueue(state, action: action)
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

extension SerialDispatchQueueScheduler: ResolvableScheduler {
    var resolved: any SchedulerType { scheduling.substitute ?? self }
}
