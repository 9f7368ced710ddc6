/// A type that determines when and where an action runs.
public protocol Scheduler<SchedulerTimeType> {
    /// A time on the scheduler's clock.
    associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

    /// The options for an action, besides its time.
    associatedtype SchedulerOptions

    /// The current time on the scheduler's clock.
    var now: SchedulerTimeType { get }

    /// The smallest tolerance that the scheduler accepts.
    var minimumTolerance: SchedulerTimeType.Stride { get }

    /// Runs `action` as soon as possible.
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

    /// Runs `action` once, after `date`.
    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void)

    /// Runs `action` after `date` and then repeatedly at `interval`, until the returned token is cancelled.
    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable
}

extension Scheduler {
    /// Runs `action` as soon as possible.
    @inlinable
    public func schedule(_ action: @escaping () -> Void) {
        schedule(options: nil, action)
    }

    /// Runs `action` once, after `date`.
    @inlinable
    public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
        schedule(after: date, tolerance: minimumTolerance, options: nil, action)
    }

    /// Runs `action` once, after `date`.
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
    ) {
        schedule(after: date, tolerance: tolerance, options: nil, action)
    }

    /// Runs `action` after `date` and then repeatedly at `interval`, until the returned token is cancelled.
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
    }

    /// Runs `action` after `date` and then repeatedly at `interval`, until the returned token is cancelled.
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
    }
}

/// A time interval that can be created from the usual units.
public protocol SchedulerTimeIntervalConvertible {
    /// Returns an interval of a whole number of seconds.
    static func seconds(_ s: Int) -> Self
    /// Returns an interval of a number of seconds, with fractions.
    static func seconds(_ s: Double) -> Self
    /// Returns an interval of milliseconds.
    static func milliseconds(_ ms: Int) -> Self
    /// Returns an interval of microseconds.
    static func microseconds(_ us: Int) -> Self
    /// Returns an interval of nanoseconds.
    static func nanoseconds(_ ns: Int) -> Self
}
