public import CombineCore
public import Foundation

extension RunLoop {
    /// A new test scheduler with the time type of run loops.
    public static var test: TestSchedulerOf<RunLoop> {
        TestScheduler(now: zero)
    }

    /// A scheduler with the time type of run loops that runs actions immediately.
    public static var immediate: ImmediateSchedulerOf<RunLoop> {
        ImmediateScheduler(now: zero)
    }

    /// A scheduler with the time type of run loops that reports an issue when it is used.
    public static var unimplemented: UnimplementedSchedulerOf<RunLoop> {
        unimplemented("RunLoop")
    }

    /// Returns a scheduler with the time type of run loops that reports an issue, or passes a message to `report`, on each use.
    public static func unimplemented(
        _ prefix: String, report: (@Sendable (String) -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> UnimplementedSchedulerOf<RunLoop> {
        UnimplementedScheduler(prefix, now: zero, report: report, file: file, line: line)
    }

    /// The earlier name of ``test``.
    public static var testScheduler: TestSchedulerOf<RunLoop> { test }

    /// The earlier name of ``immediate``.
    public static var immediateScheduler: ImmediateSchedulerOf<RunLoop> { immediate }

    /// The earlier name of `unimplemented`.
    public static var failing: UnimplementedSchedulerOf<RunLoop> { unimplemented }

    /// The initial time of test schedulers.
    private static var zero: SchedulerTimeType { SchedulerTimeType(Date(timeIntervalSince1970: 0)) }
}

extension AnyScheduler
where
    SchedulerTimeType == RunLoop.SchedulerTimeType,
    SchedulerOptions == RunLoop.SchedulerOptions
{
    /// The main run loop, or the session's scheduler inside a hosted machine.
    public static var main: Self {
        RunLoop.main.eraseToAnyScheduler()
    }

    /// A scheduler that runs actions immediately.
    public static var immediate: Self {
        RunLoop.immediate.eraseToAnyScheduler()
    }

    /// A scheduler that reports an issue when it is used.
    public static var unimplemented: Self {
        RunLoop.unimplemented.eraseToAnyScheduler()
    }

    /// Returns a scheduler that reports an issue, or passes a message to `report`, on each use.
    public static func unimplemented(
        _ prefix: String, report: (@Sendable (String) -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        RunLoop.unimplemented(prefix, report: report, file: file, line: line).eraseToAnyScheduler()
    }

    /// The earlier name of `unimplemented`.
    public static var failing: Self { unimplemented }
}
