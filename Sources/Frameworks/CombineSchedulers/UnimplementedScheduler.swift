public import CombineCore
import IssueReporting

/// A scheduler that reports each use.
///
/// Use it in place of a scheduler that the code under test must not use. Actions run immediately, after the report.
public struct UnimplementedScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    private let prefix: String
    private let moment: SchedulerTimeType
    private let report: @Sendable (String) -> Void

    /// Creates a scheduler that reports each use.
    ///
    /// - Parameters:
    ///   - prefix: Precedes each message, to identify the scheduler.
    ///   - now: The time that the clock shows.
    ///   - report: Receives a message for each use; nil to report an issue, which fails the running test.
    ///   - file: The file that issues are reported for.
    ///   - line: The line that issues are reported for.
    public init(
        _ prefix: String = "", now: SchedulerTimeType, report: (@Sendable (String) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.prefix = prefix
        moment = now
        self.report = report ?? { FoundIssue(message: $0, file: file, line: line).report() }
    }

    private func reportUse(_ use: String) {
        report("\(prefix.isEmpty ? "" : "\(prefix) - ")An unimplemented scheduler \(use).")
    }

    /// Reports the use and returns the time that was passed to the initializer.
    public var now: SchedulerTimeType {
        reportUse("was used to read the current time")
        return moment
    }

    /// Reports the use and returns zero.
    public var minimumTolerance: SchedulerTimeType.Stride {
        reportUse("was used to read its minimum tolerance")
        return .zero
    }

    /// Reports the use, and runs the action.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        reportUse("scheduled an action to run as soon as possible")
        action()
    }

    /// Reports the use, and runs the action.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        reportUse("scheduled an action to run later")
        action()
    }

    /// Reports the use, and runs the action once.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        reportUse("scheduled an action to run on a timer")
        action()
        return Subscriptions.empty
    }
}

/// An ``UnimplementedScheduler`` with the types of time and options of the scheduler type `S`.
public typealias UnimplementedSchedulerOf<S: Scheduler> =
    UnimplementedScheduler<S.SchedulerTimeType, S.SchedulerOptions>

/// The earlier name of ``UnimplementedScheduler``.
public typealias FailingScheduler = UnimplementedScheduler

/// The earlier name of ``UnimplementedSchedulerOf``.
public typealias FailingSchedulerOf<S: Scheduler> = UnimplementedScheduler<S.SchedulerTimeType, S.SchedulerOptions>
