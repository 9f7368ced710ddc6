public import CombineCore
public import Dispatch
import HTTPModel

/// A session's scheduler speaks the time of dispatch queues, so that it can stand where a machine takes
/// `AnySchedulerOf<DispatchQueue>`.
extension SessionScheduler: Scheduler {
    /// A moment of the loop's clock.
    public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    /// Taken and ignored: a session has one loop.
    public typealias SchedulerOptions = DispatchQueue.SchedulerOptions

    /// The time of the loop's present round; on another thread, that of the system's monotonic clock.
    public var now: SchedulerTimeType {
        SchedulerTimeType(DispatchTime(uptimeNanoseconds: currentNanoseconds))
    }

    /// Zero: the loop decides.
    public var minimumTolerance: SchedulerTimeType.Stride { .zero }

    /// Runs the action as a turn of its own, later, in the order of the calls.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        schedule(action)
    }

    /// Runs the action as a turn of its own once the moment has come.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        _ = schedule(after: delay(until: date), repeating: nil, action)
    }

    /// Runs the action at the moment and again each interval, each time as a turn of its own, until it is cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(after: delay(until: date), repeating: .nanoseconds(max(1, interval.magnitude)), action)
    }

    private func delay(until date: SchedulerTimeType) -> Duration {
        let nanoseconds = date.dispatchTime.uptimeNanoseconds
        let current = currentNanoseconds
        return nanoseconds > current ? .nanoseconds(Int64(min(nanoseconds - current, UInt64(Int64.max)))) : .zero
    }

    var currentNanoseconds: UInt64 {
        loop.isCurrent ? loop.now.nanoseconds : DispatchTime.now().uptimeNanoseconds
    }
}
