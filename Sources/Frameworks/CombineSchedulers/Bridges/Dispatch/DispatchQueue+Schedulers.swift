public import CombineCore
public import Dispatch

extension DispatchQueue {
    /// A new test scheduler with the time type of dispatch queues.
    public static var test: TestSchedulerOf<DispatchQueue> {
        TestScheduler(now: zero)
    }

    /// A scheduler with the time type of dispatch queues that runs actions immediately.
    public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
        ImmediateScheduler(now: zero)
    }

    /// A scheduler with the time type of dispatch queues that reports an issue when it is used.
    public static var unimplemented: UnimplementedSchedulerOf<DispatchQueue> {
        unimplemented("DispatchQueue")
    }

    /// Returns a scheduler with the time type of dispatch queues that reports an issue, or passes a message to `report`, on each use.
    public static func unimplemented(
        _ prefix: String, report: (@Sendable (String) -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> UnimplementedSchedulerOf<DispatchQueue> {
        UnimplementedScheduler(prefix, now: zero, report: report, file: file, line: line)
    }

    /// The earlier name of ``test``.
    public static var testScheduler: TestSchedulerOf<DispatchQueue> { test }

    /// The earlier name of ``immediate``.
    public static var immediateScheduler: ImmediateSchedulerOf<DispatchQueue> { immediate }

    /// The earlier name of `unimplemented`.
    public static var failing: UnimplementedSchedulerOf<DispatchQueue> { unimplemented }

    /// Not 0, because Dispatch interprets 0 as the current time.
    private static var zero: SchedulerTimeType { SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)) }
}

extension AnyScheduler
where
    SchedulerTimeType == DispatchQueue.SchedulerTimeType,
    SchedulerOptions == DispatchQueue.SchedulerOptions
{
    /// The main queue, or the session's scheduler inside a hosted machine.
    public static var main: Self {
        DispatchQueue.main.eraseToAnyScheduler()
    }

    /// Returns a concurrent queue of the system.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> Self {
        DispatchQueue.global(qos: qos).eraseToAnyScheduler()
    }

    /// A scheduler that runs actions immediately.
    public static var immediate: Self {
        DispatchQueue.immediate.eraseToAnyScheduler()
    }

    /// A scheduler that reports an issue when it is used.
    public static var unimplemented: Self {
        DispatchQueue.unimplemented.eraseToAnyScheduler()
    }

    /// Returns a scheduler that reports an issue, or passes a message to `report`, on each use.
    public static func unimplemented(
        _ prefix: String, report: (@Sendable (String) -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        DispatchQueue.unimplemented(prefix, report: report, file: file, line: line).eraseToAnyScheduler()
    }

    /// The earlier name of `unimplemented`.
    public static var failing: Self { unimplemented }
}
