public import CombineCore
public import Dispatch

extension DispatchQueue {
    /// A new scheduler with a queue's notion of time and a clock that is moved by hand.
    public static var test: TestSchedulerOf<DispatchQueue> {
        // Not zero: Dispatch takes 0 for the present moment.
        TestScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
    }

    /// A scheduler with a queue's notion of time that runs everything at once.
    public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
        ImmediateScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
    }
}

extension AnyScheduler
where
    SchedulerTimeType == DispatchQueue.SchedulerTimeType,
    SchedulerOptions == DispatchQueue.SchedulerOptions
{
    /// The main queue; inside a hosted machine, the session's own scheduler.
    public static var main: Self {
        DispatchQueue.main.eraseToAnyScheduler()
    }

    /// A scheduler that runs everything at once.
    public static var immediate: Self {
        DispatchQueue.immediate.eraseToAnyScheduler()
    }

    /// One of the system's concurrent queues.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> Self {
        DispatchQueue.global(qos: qos).eraseToAnyScheduler()
    }
}
