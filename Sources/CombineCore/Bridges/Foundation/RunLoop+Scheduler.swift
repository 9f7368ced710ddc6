public import Foundation

extension RunLoop: Scheduler {
    /// There is nothing to choose.
    public struct SchedulerOptions {}

    /// The present moment.
    public var now: SchedulerTimeType {
        SchedulerTimeType(Date())
    }

    /// Zero: the run loop decides.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs `action` as soon as the thread of this run loop runs it in its default mode; callable from any thread.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Handover(action)
        perform { work.run() }
        // A block does not wake a run loop that sleeps, a timer does.
        add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in }, forMode: .default)
    }

    /// Runs `action` once, after `date`, in the run loop's default mode.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let work = Handover(action)
        let timer = Timer(fire: date.date, interval: 0, repeats: false) { _ in work.run() }
        timer.tolerance = tolerance.timeInterval
        add(timer, forMode: .default)
    }

    /// Runs `action` after `date` and then again each `interval`, in the run loop's default mode, until the token is
    /// cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let work = Handover(action)
        let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { timer in
            // The token may have been cancelled while the run loop was about to call.
            if timer.isValid { work.run() }
        }
        timer.tolerance = tolerance.timeInterval
        add(timer, forMode: .default)
        return AnyCancellable { timer.invalidate() }
    }
}

extension RunLoop: MainCapable {
    /// Whether this is the run loop of the main thread or of the calling one.
    ///
    /// It is asked only where something stands in for "main", that is on a thread that runs a session. Such a thread
    /// does not run its run loop, and on a phone it would have been the main thread.
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
