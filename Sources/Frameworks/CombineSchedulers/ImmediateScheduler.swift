public import CombineCore

/// A scheduler that runs actions immediately on the calling thread, with any type of time.
///
/// Use it in place of a queue in tests that do not depend on time: delays and debounces do not wait.
public struct ImmediateScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    /// The time, which never changes.
    public let now: SchedulerTimeType

    /// Zero.
    public let minimumTolerance: SchedulerTimeType.Stride = .zero

    /// Creates a scheduler whose clock always shows `now`.
    public init(now: SchedulerTimeType) {
        self.now = now
    }

    /// Runs `action` before this method returns.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        action()
    }

    /// Runs `action` before this method returns.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        action()
    }

    /// Runs `action` once, before this method returns.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}

/// An ``ImmediateScheduler`` with the types of time and options of the scheduler type `S`.
public typealias ImmediateSchedulerOf<S: Scheduler> = ImmediateScheduler<S.SchedulerTimeType, S.SchedulerOptions>
