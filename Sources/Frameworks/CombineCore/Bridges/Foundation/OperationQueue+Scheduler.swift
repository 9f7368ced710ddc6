import Dispatch
public import Foundation
import Locking

extension OperationQueue: Scheduler {
    /// Scheduler options; operation queues have none.
    public struct SchedulerOptions {}

    /// The current time.
    public var now: SchedulerTimeType {
        SchedulerTimeType(Date())
    }

    /// Zero, which leaves the tolerance to the system.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Adds an operation that runs `action`.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = UnsafeTransfer(action)
        addOperation { work.value() }
    }

    /// Adds an operation that runs `action` after `date`. The tolerance is ignored.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let work = UnsafeTransfer(action)
        DispatchQueue.global().asyncAfter(wallDeadline: .notBefore(date.date)) { self.addOperation { work.value() } }
    }

    /// Adds an operation that runs `action` after `date` and then repeatedly at `interval`, until the returned token is
    /// cancelled.
    ///
    /// An operation that was added before the cancellation, but has not started, does not run the action.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let work = UnsafeTransfer(action)
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(
            wallDeadline: .notBefore(date.date), repeating: interval.timeInterval,
            leeway: .nanoseconds(Int(max(0, min(tolerance.timeInterval, 1e9)) * 1e9)))
        let isCancelled = Lock(false)
        timer.setEventHandler {
            self.addOperation {
                if !isCancelled.withLock({ $0 }) { work.value() }
            }
        }
        timer.activate()
        return AnyCancellable {
            isCancelled.withLock { $0 = true }
            timer.cancel()
        }
    }
}

extension OperationQueue: MainCapable {
    package var isMain: Bool { self === OperationQueue.main }

    package func moment(at now: Duration) -> SchedulerTimeType {
        SchedulerTimeType(SubstituteDate.date(at: now))
    }

    package func duration(of stride: SchedulerTimeType.Stride) -> Duration {
        Duration(clamping: stride.timeInterval)
    }
}
