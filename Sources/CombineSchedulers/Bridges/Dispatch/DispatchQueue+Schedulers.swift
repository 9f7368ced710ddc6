public import CombineCore
public import Dispatch

extension DispatchQueue {
    /// A new scheduler with a queue's notion of time and a clock that is moved by hand.
    public static var test: TestSchedulerOf<DispatchQueue> {
        TestScheduler(now: zero)
    }

    /// A scheduler with a queue's notion of time that runs everything at once.
    public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
        ImmediateScheduler(now: zero)
    }

    /// A scheduler with a queue's notion of time that traps when it is used.
    public static var unimplemented: UnimplementedSchedulerOf<DispatchQueue> {
        unimplemented("DispatchQueue")
    }

    /// A scheduler with a queue's notion of time that hands a sentence to `report` whenever it is used.
    public static func unimplemented(
        _ prefix: String, report: @escaping @Sendable (String) -> Void = { preconditionFailure($0) }
    ) -> UnimplementedSchedulerOf<DispatchQueue> {
        UnimplementedScheduler(prefix, now: zero, report: report)
    }

    /// The earlier name of ``test``.
    public static var testScheduler: TestSchedulerOf<DispatchQueue> { test }

    /// The earlier name of ``immediate``.
    public static var immediateScheduler: ImmediateSchedulerOf<DispatchQueue> { immediate }

    /// The earlier name of ``unimplemented``.
    public static var failing: UnimplementedSchedulerOf<DispatchQueue> { unimplemented }

    /// Not 0, which Dispatch takes for the present moment.
    private static var zero: SchedulerTimeType { SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)) }
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

    /// One of the system's concurrent queues.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> Self {
        DispatchQueue.global(qos: qos).eraseToAnyScheduler()
    }

    /// A scheduler that runs everything at once.
    public static var immediate: Self {
        DispatchQueue.immediate.eraseToAnyScheduler()
    }

    /// A scheduler that traps when it is used.
    public static var unimplemented: Self {
        DispatchQueue.unimplemented.eraseToAnyScheduler()
    }

    /// A scheduler that hands a sentence to `report` whenever it is used.
    public static func unimplemented(
        _ prefix: String, report: @escaping @Sendable (String) -> Void = { preconditionFailure($0) }
    ) -> Self {
        DispatchQueue.unimplemented(prefix, report: report).eraseToAnyScheduler()
    }

    /// The earlier name of ``unimplemented``.
    public static var failing: Self { unimplemented }
}
