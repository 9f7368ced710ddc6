import Dispatch
public import Foundation
import Locking

extension RunLoop: Scheduler {
    /// Scheduler options; run loops have none.
    public struct SchedulerOptions {}

    /// The current time.
    public var now: SchedulerTimeType {
        SchedulerTimeType(Date())
    }

    /// Zero, which leaves the tolerance to the system.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs `action` as soon as possible in the default mode of this run loop. May be called from any thread.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = UnsafeTransfer(action)
        perform { work.value() }
        // `perform` does not wake a sleeping run loop, so the action would wait for its next event.
        RunLoopWaker.wake(self)
    }

    /// Runs `action` once, after `date`, in the run loop's default mode. The tolerance is ignored.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        // Dispatch measures the delay, not a `Timer`: on Linux, Foundation never releases a timer (380 bytes with its
        // block).
        let work = UnsafeTransfer({ self.schedule(options: nil, action) })
        DispatchQueue.global().asyncAfter(wallDeadline: .notBefore(date.date)) { work.value() }
    }

    /// Runs `action` after `date` and then repeatedly at `interval` in the run loop's default mode, until the returned
    /// token is cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let isCancelled = Lock(false)
        let work = UnsafeTransfer({
            self.schedule(options: nil) {
                if !isCancelled.withLock({ $0 }) { action() }
            }
        })
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(
            wallDeadline: .notBefore(date.date), repeating: interval.timeInterval,
            leeway: .nanoseconds(Int(max(0, min(tolerance.timeInterval, 1e9)) * 1e9)))
        timer.setEventHandler { work.value() }
        timer.activate()
        return AnyCancellable {
            isCancelled.withLock { $0 = true }
            timer.cancel()
        }
    }
}

extension RunLoop: MainCapable {
    /// Whether this is the run loop of the main thread or of the calling thread.
    ///
    // It is called only where a substitute for "main" exists, that is, on a thread that runs a session. Such a thread
    // does not run its run loop; in an app, the code would run on the main thread.
    package var isMain: Bool {
        self === RunLoop.main || self === RunLoop.current
    }

    package func moment(at now: Duration) -> SchedulerTimeType {
        SchedulerTimeType(SubstituteDate.date(at: now))
    }

    package func duration(of stride: SchedulerTimeType.Stride) -> Duration {
        Duration(clamping: stride.timeInterval)
    }
}
