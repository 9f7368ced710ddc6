public import CombineCore
public import Dispatch
import HTTPModel

/// Uses the time type of dispatch queues, so that the scheduler can replace `AnySchedulerOf<DispatchQueue>` in a
/// machine.
extension SessionScheduler: Scheduler {
    /// A time of the loop's clock.
    public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    /// Scheduler options; this scheduler ignores them.
    public typealias SchedulerOptions = DispatchQueue.SchedulerOptions

    /// The start of the loop's current round; on other threads, the time since the system was started, or the simulated time of a
    /// loop that has one.
    public var now: SchedulerTimeType {
        SchedulerTimeType(DispatchTime(uptimeNanoseconds: currentNanoseconds))
    }

    /// Always zero.
    public var minimumTolerance: SchedulerTimeType.Stride { .zero }

    /// Runs an action as a separate turn, in a later round and in the order of the calls.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        schedule(action)
    }

    /// Runs an action as a separate turn at a time.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        _ = schedule(after: delay(until: date), repeating: nil, action)
    }

    /// Runs an action at a time and then at each interval, each time as a separate turn, until it is cancelled.
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
        (loop.isCurrent ? loop.now : loop.simulatedTime ?? SystemBoot.uptime()).nanoseconds
    }
}

/// In its session's turns, the scheduler is what the main queue is: the timers of captured operators keep their times.
extension SessionScheduler: MainCapable {
    package var isMain: Bool { (MainContext.current as? MainQueueSubstitute)?.scheduler === self }

    package func moment(at now: Duration) -> SchedulerTimeType {
        // Dispatch interprets 0 as the current time.
        SchedulerTimeType(DispatchTime(uptimeNanoseconds: UInt64(max(1, now.wholeNanoseconds))))
    }

    package func duration(of stride: SchedulerTimeType.Stride) -> Duration { .nanoseconds(stride.magnitude) }
}
