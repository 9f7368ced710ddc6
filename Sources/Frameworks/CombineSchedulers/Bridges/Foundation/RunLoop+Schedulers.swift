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

    /// A scheduler with the time type of run loops that traps when it is used.
    public static var unimplemented: UnimplementedSchedulerOf<RunLoop> {
        unimplemented("RunLoop")
    }

    /// Returns a scheduler with the time type of run loops that passes a message to `report` on each use.
    public static func unimplemented(
        _ prefix: String, report: @escaping @Sendable (String) -> Void = { preconditionFailure($0) }
    ) -> UnimplementedSchedulerOf<RunLoop> {
        UnimplementedScheduler(prefix, now: zero, report: report)
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

    /// A scheduler that traps when it is used.
    public static var unimplemented: Self {
        RunLoop.unimplemented.eraseToAnyScheduler()
    }

    /// Returns a scheduler that passes a message to `report` on each use.
    public static func unimplemented(
        _ prefix: String, report: @escaping @Sendable (String) -> Void = { preconditionFailure($0) }
    ) -> Self {
        RunLoop.unimplemented(prefix, report: report).eraseToAnyScheduler()
    }

    /// The earlier name of `unimplemented`.
    public static var failing: Self { unimplemented }
}
