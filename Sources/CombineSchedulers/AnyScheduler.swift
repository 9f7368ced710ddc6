public import CombineCore

/// A scheduler whose type is hidden; only its notions of time and of options show.
///
/// A view model that is given an `AnySchedulerOf<DispatchQueue>` runs on a queue in production and on a
/// ``TestScheduler`` in tests.
public struct AnyScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    private let base: any Scheduler<SchedulerTimeType>
    private let asSoonAsPossible: (SchedulerOptions?, @escaping () -> Void) -> Void
    private let once: (SchedulerTimeType, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void) -> Void
    private let repeatedly:
        (SchedulerTimeType, SchedulerTimeType.Stride, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void)
            -> any Cancellable

    /// Hides the type of `scheduler`; one that is hidden already is taken as it is.
    public init<S: Scheduler>(_ scheduler: S)
    where S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions {
        if let erased = scheduler as? Self {
            self = erased
            return
        }
        base = scheduler
        asSoonAsPossible = { scheduler.schedule(options: $0, $1) }
        once = { scheduler.schedule(after: $0, tolerance: $1, options: $2, $3) }
        repeatedly = { scheduler.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) }
    }

    /// The present moment on the hidden scheduler's clock.
    public var now: SchedulerTimeType { base.now }

    /// The least deviation that can be asked of the hidden scheduler.
    public var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }

    /// Runs `action` as soon as possible.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        asSoonAsPossible(options, action)
    }

    /// Runs `action` once, at some moment after `date`.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        once(date, tolerance, options, action)
    }

    /// Runs `action` at some moment after `date` and then again each `interval`, until the token is cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        repeatedly(date, interval, tolerance, options, action)
    }
}

/// An ``AnyScheduler`` with the notions of time and of options of the scheduler type `S`.
public typealias AnySchedulerOf<S: Scheduler> = AnyScheduler<S.SchedulerTimeType, S.SchedulerOptions>

extension Scheduler {
    /// Hides the type of this scheduler.
    public func eraseToAnyScheduler() -> AnySchedulerOf<Self> {
        AnyScheduler(self)
    }
}

extension AnyScheduler: MainCapable {
    package var isMain: Bool {
        (base as? any MainCapable)?.isMain ?? false
    }

    package func moment(at now: Duration) -> SchedulerTimeType {
        func moment(on capable: some MainCapable) -> SchedulerTimeType? {
            capable.moment(at: now) as? SchedulerTimeType
        }
        return (base as? any MainCapable).flatMap { moment(on: $0) } ?? base.now
    }

    package func duration(of stride: SchedulerTimeType.Stride) -> Duration {
        func duration<Main: MainCapable>(on capable: Main) -> Duration? {
            (stride as? Main.SchedulerTimeType.Stride).map { capable.duration(of: $0) }
        }
        return (base as? any MainCapable).flatMap { duration(on: $0) } ?? .zero
    }
}
