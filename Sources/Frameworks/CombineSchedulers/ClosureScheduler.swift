import CombineCore

/// A scheduler that consists of closures, used by ``AnyScheduler``.
struct ClosureScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    typealias Stride = SchedulerTimeType.Stride

    let tolerance: () -> Stride
    let clock: () -> SchedulerTimeType
    let asSoonAsPossible: (SchedulerOptions?, @escaping () -> Void) -> Void
    let once: (SchedulerTimeType, Stride, SchedulerOptions?, @escaping () -> Void) -> Void
    let repeatedly: (SchedulerTimeType, Stride, Stride, SchedulerOptions?, @escaping () -> Void) -> any Cancellable

    var now: SchedulerTimeType { clock() }

    var minimumTolerance: Stride { tolerance() }

    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        asSoonAsPossible(options, action)
    }

    func schedule(
        after date: SchedulerTimeType, tolerance: Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {
        once(date, tolerance, options, action)
    }

    func schedule(
        after date: SchedulerTimeType, interval: Stride, tolerance: Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        repeatedly(date, interval, tolerance, options, action)
    }
}
