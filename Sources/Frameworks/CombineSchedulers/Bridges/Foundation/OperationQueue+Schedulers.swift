public import CombineCore
public import Foundation

extension OperationQueue {
    /// A new test scheduler with the time type of operation queues.
    public static var test: TestSchedulerOf<OperationQueue> {
        TestScheduler(now: zero)
    }

    /// A scheduler with the time type of operation queues that runs actions immediately.
    public static var immediate: ImmediateSchedulerOf<OperationQueue> {
        ImmediateScheduler(now: zero)
    }

    /// A scheduler with the time type of operation queues that reports an issue when it is used.
    public static var unimplemented: UnimplementedSchedulerOf<OperationQueue> {
        unimplemented("OperationQueue")
    }

    /// Returns a scheduler with the time type of operation queues that reports an issue, or passes a message to `report`, on each use.
    public static func unimplemented(
        _ prefix: String, report: (@Sendable (String) -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> UnimplementedSchedulerOf<OperationQueue> {
        UnimplementedScheduler(prefix, now: zero, report: report, file: file, line: line)
    }

    /// The earlier name of ``test``.
    public static var testScheduler: TestSchedulerOf<OperationQueue> { test }

    /// The earlier name of ``immediate``.
    public static var immediateScheduler: ImmediateSchedulerOf<OperationQueue> { immediate }

    /// The earlier name of `unimplemented`.
    public static var failing: UnimplementedSchedulerOf<OperationQueue> { unimplemented }

    /// The initial time of test schedulers.
    private static var zero: SchedulerTimeType { SchedulerTimeType(Date(timeIntervalSince1970: 0)) }
}

extension AnyScheduler
where
    SchedulerTimeType == OperationQueue.SchedulerTimeType,
    SchedulerOptions == OperationQueue.SchedulerOptions
{
    /// The main operation queue, or the session's scheduler inside a hosted machine.
    public static var main: Self {
        OperationQueue.main.eraseToAnyScheduler()
    }

    /// A scheduler that runs actions immediately.
    public static var immediate: Self {
        OperationQueue.immediate.eraseToAnyScheduler()
    }

    /// A scheduler that reports an issue when it is used.
    public static var unimplemented: Self {
        OperationQueue.unimplemented.eraseToAnyScheduler()
    }

    /// Returns a scheduler that reports an issue, or passes a message to `report`, on each use.
    public static func unimplemented(
        _ prefix: String, report: (@Sendable (String) -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        OperationQueue.unimplemented(prefix, report: report, file: file, line: line).eraseToAnyScheduler()
    }

    /// The earlier name of `unimplemented`.
    public static var failing: Self { unimplemented }
}
