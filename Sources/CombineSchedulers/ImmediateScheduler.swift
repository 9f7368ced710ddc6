public import CombineCore

/// A scheduler that runs everything at once, on the calling thread, with any notion of time.
///
/// It takes the place of a queue where a test does not care about time: delays and debounces take none.
public struct ImmediateScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    /// The moment at which this scheduler's clock stands still.
    public let now: SchedulerTimeType

    /// Zero.
    public let minimumTolerance: SchedulerTimeType.Stride = .zero

    /// Makes a scheduler whose clock stands still at `now`.
    public init(now: SchedulerTimeType) {
        self.now = now
    }

    /// Runs `action` before it returns.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        action()
    }

    /// Runs `action` before it returns.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        action()
    }

    /// Runs `action` once, before it returns.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}

/// An ``ImmediateScheduler`` with the notions of time and of options of the scheduler type `S`.
public typealias ImmediateSchedulerOf<S: Scheduler> = ImmediateScheduler<S.SchedulerTimeType, S.SchedulerOptions>
