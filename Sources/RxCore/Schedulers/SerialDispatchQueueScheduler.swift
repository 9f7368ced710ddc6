import CombineCore
public import Dispatch
public import FoundationEssentials

/// Runs actions one after another on a dispatch queue.
public final class SerialDispatchQueueScheduler: SchedulerType, Sendable {
    private let scheduling: QueueScheduling
    private let leeway: DispatchTimeInterval
    private let isMain: Bool

    private init(_ queue: DispatchQueue, leeway: DispatchTimeInterval, isMain: Bool) {
        scheduling = QueueScheduling(queue: queue)
        self.leeway = leeway
        self.isMain = isMain
    }

    /// The main queue, which is serial as it is.
    convenience init(main queue: DispatchQueue) {
        self.init(queue, leeway: .nanoseconds(0), isMain: true)
    }

    /// A serial queue of its own with this name.
    public convenience init(
        internalSerialQueueName: String, serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        let queue = DispatchQueue(label: internalSerialQueueName)
        serialQueueConfiguration?(queue)
        self.init(queue, leeway: leeway, isMain: false)
    }

    /// A serial queue of its own on top of `queue`; the main queue is used as it is.
    public convenience init(
        queue: DispatchQueue, internalSerialQueueName: String, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        if queue.isMain {
            self.init(queue, leeway: leeway, isMain: true)
        } else {
            self.init(DispatchQueue(label: internalSerialQueueName, target: queue), leeway: leeway, isMain: false)
        }
    }

    /// A serial queue of its own on top of the system's queue of that quality of service.
    public convenience init(
        qos: DispatchQoS, internalSerialQueueName: String = "rx.global_dispatch_queue.serial",
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            queue: .global(qos: qos.qosClass), internalSerialQueueName: internalSerialQueueName, leeway: leeway)
    }

    /// The present moment.
    public var now: RxTime { substitute?.now ?? Date() }

    /// Runs `action` on the queue, never before this call returns.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        substitute?.schedule(state, action: action) ?? scheduling.schedule(state, action: action)
    }

    /// Runs `action` on the queue once `dueTime` has passed.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        substitute?.scheduleRelative(state, dueTime: dueTime, action: action)
            ?? scheduling.scheduleRelative(state, dueTime: dueTime, leeway: leeway, action: action)
    }

    private var substitute: SubstituteScheduler? {
        isMain ? MainContext.currentBox.map { SubstituteScheduler($0, inlining: .never) } : nil
    }
}

extension SerialDispatchQueueScheduler: ResolvableScheduler {
    var resolved: any SchedulerType { substitute ?? self }
}
