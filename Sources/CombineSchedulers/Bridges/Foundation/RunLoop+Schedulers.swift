public import CombineCore
public import Foundation

extension RunLoop {
    /// A new scheduler with a run loop's notion of time and a clock that is moved by hand.
    public static var test: TestSchedulerOf<RunLoop> {
        TestScheduler(now: zero)
    }

    /// A scheduler with a run loop's notion of time that runs everything at once.
    public static var immediate: ImmediateSchedulerOf<RunLoop> {
        ImmediateScheduler(now: zero)
    }

    /// A scheduler with a run loop's notion of time that traps when it is used.
    public static var unimplemented: UnimplementedSchedulerOf<RunLoop> {
        unimplemented("RunLoop")
    }

    /// A scheduler with a run loop's notion of time that hands a sentence to `report` whenever it is used.
    public static func unimplemented(
        _ prefix: String, report: @escaping @Sendable (String) -> Void = { preconditionFailure($0) }
    ) -> UnimplementedSchedulerOf<RunLoop> {
        UnimplementedScheduler(prefix, now: zero, report: report)
    }

    /// The earlier name of ``test``.
    public static var testScheduler: TestSchedulerOf<RunLoop> { test }

    /// The earlier name of ``immediate``.
    public static var immediateScheduler: ImmediateSchedulerOf<RunLoop> { immediate }

    /// The earlier name of ``unimplemented``.
    public static var failing: UnimplementedSchedulerOf<RunLoop> { unimplemented }

    /// Where the clocks start.
    private static var zero: SchedulerTimeType { SchedulerTimeType(Date(timeIntervalSince1970: 0)) }
}

extension AnyScheduler
where
    SchedulerTimeType == RunLoop.SchedulerTimeType,
    SchedulerOptions == RunLoop.SchedulerOptions
{
    /// The main run loop; inside a hosted machine, the session's own scheduler.
    public static var main: Self {
        RunLoop.main.eraseToAnyScheduler()
    }

    /// A scheduler that runs everything at once.
    public static var immediate: Self {
        RunLoop.immediate.eraseToAnyScheduler()
    }

    /// A scheduler that traps when it is used.
    public static var unimplemented: Self {
        RunLoop.unimplemented.eraseToAnyScheduler()
    }

    /// A scheduler that hands a sentence to `report` whenever it is used.
    public static func unimplemented(
        _ prefix: String, report: @escaping @Sendable (String) -> Void = { preconditionFailure($0) }
    ) -> Self {
        RunLoop.unimplemented(prefix, report: report).eraseToAnyScheduler()
    }

    /// The earlier name of ``unimplemented``.
    public static var failing: Self { unimplemented }
}
