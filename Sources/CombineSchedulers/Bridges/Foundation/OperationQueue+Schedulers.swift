public import CombineCore
public import Foundation

extension OperationQueue {
    /// A new scheduler with an operation queue's notion of time and a clock that is moved by hand.
    public static var test: TestSchedulerOf<OperationQueue> {
        TestScheduler(now: zero)
    }

    /// A scheduler with an operation queue's notion of time that runs everything at once.
    public static var immediate: ImmediateSchedulerOf<OperationQueue> {
        ImmediateScheduler(now: zero)
    }

    /// A scheduler with an operation queue's notion of time that traps when it is used.
    public static var unimplemented: UnimplementedSchedulerOf<OperationQueue> {
        unimplemented("OperationQueue")
    }

    /// A scheduler with an operation queue's notion of time that hands a sentence to `report` whenever it is used.
    public static func unimplemented(
        _ prefix: String, report: @escaping @Sendable (String) -> Void = { preconditionFailure($0) }
    ) -> UnimplementedSchedulerOf<OperationQueue> {
        UnimplementedScheduler(prefix, now: zero, report: report)
    }

    /// The earlier name of ``test``.
    public static var testScheduler: TestSchedulerOf<OperationQueue> { test }

    /// The earlier name of ``immediate``.
    public static var immediateScheduler: ImmediateSchedulerOf<OperationQueue> { immediate }

    /// The earlier name of ``unimplemented``.
    public static var failing: UnimplementedSchedulerOf<OperationQueue> { unimplemented }

    /// Where the clocks start.
    private static var zero: SchedulerTimeType { SchedulerTimeType(Date(timeIntervalSince1970: 0)) }
}

extension AnyScheduler
where
    SchedulerTimeType == OperationQueue.SchedulerTimeType,
    SchedulerOptions == OperationQueue.SchedulerOptions
{
    /// The main operation queue; inside a hosted machine, the session's own scheduler.
    public static var main: Self {
        OperationQueue.main.eraseToAnyScheduler()
    }

    /// A scheduler that runs everything at once.
    public static var immediate: Self {
        OperationQueue.immediate.eraseToAnyScheduler()
    }

    /// A scheduler that traps when it is used.
    public static var unimplemented: Self {
        OperationQueue.unimplemented.eraseToAnyScheduler()
    }

    /// A scheduler that hands a sentence to `report` whenever it is used.
    public static func unimplemented(
        _ prefix: String, report: @escaping @Sendable (String) -> Void = { preconditionFailure($0) }
    ) -> Self {
        OperationQueue.unimplemented(prefix, report: report).eraseToAnyScheduler()
    }

    /// The earlier name of ``unimplemented``.
    public static var failing: Self { unimplemented }
}
