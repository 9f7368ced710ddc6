public import CombineCore

/// A scheduler that says that it should not have been used.
///
/// It takes the place of a scheduler that the code under test is not supposed to need. Whatever is asked of it is
/// reported; an action that is scheduled does not run.
public struct UnimplementedScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    private let prefix: String
    private let moment: SchedulerTimeType
    private let report: @Sendable (String) -> Void

    /// Makes a scheduler that reports.
    ///
    /// - Parameters:
    ///   - prefix: Stands before each message and says which scheduler it is.
    ///   - now: What the clock shows after that has been reported.
    ///   - report: Gets a sentence for each use. In a test, record an issue; without this argument the process traps.
    public init(
        _ prefix: String = "", now: SchedulerTimeType,
        report: @escaping @Sendable (String) -> Void = { preconditionFailure($0) }
    ) {
        self.prefix = prefix
        moment = now
        self.report = report
    }

    private func tell(_ use: String) {
        report("\(prefix.isEmpty ? "" : "\(prefix) - ")An unimplemented scheduler \(use).")
    }

    /// Reports, and returns the moment that this scheduler was made with.
    public var now: SchedulerTimeType {
        tell("was asked the current time")
        return moment
    }

    /// Reports, and returns zero.
    public var minimumTolerance: SchedulerTimeType.Stride {
        tell("was asked its minimum tolerance")
        return .zero
    }

    /// Reports, and does not run the action.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        tell("scheduled an action to run as soon as possible")
    }

    /// Reports, and does not run the action.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        tell("scheduled an action to run later")
    }

    /// Reports, and does not run the action.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        tell("scheduled an action to run on a timer")
        return Subscriptions.empty
    }
}

/// An ``UnimplementedScheduler`` with the notions of time and of options of the scheduler type `S`.
public typealias UnimplementedSchedulerOf<S: Scheduler> =
    UnimplementedScheduler<S.SchedulerTimeType, S.SchedulerOptions>

/// The earlier name of ``UnimplementedScheduler``.
public typealias FailingScheduler = UnimplementedScheduler

/// The earlier name of ``UnimplementedSchedulerOf``.
public typealias FailingSchedulerOf<S: Scheduler> = UnimplementedScheduler<S.SchedulerTimeType, S.SchedulerOptions>
