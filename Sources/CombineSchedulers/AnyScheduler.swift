public import CombineCore

/// A scheduler whose type is hidden; only its notions of time and of options show.
///
/// A view model that is given an `AnySchedulerOf<DispatchQueue>` runs on a queue in production and on a
/// ``TestScheduler`` in tests.
public struct AnyScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler, @unchecked Sendable
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    // Sendable because schedulers exist to be given work from anywhere: whoever hides one here keeps to that. What is
    // stored never changes and does nothing but call that scheduler.
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

    /// Makes a scheduler of closures, for one that is none by itself.
    ///
    /// - Parameters:
    ///   - minimumTolerance: The least deviation that can be asked for.
    ///   - now: Reads the clock.
    ///   - scheduleImmediately: Runs an action as soon as possible.
    ///   - delayed: Runs an action once, after a moment, with a tolerance.
    ///   - interval: Runs an action after a moment and then again each interval, until the token is cancelled.
    public init(
        minimumTolerance: @escaping () -> SchedulerTimeType.Stride,
        now: @escaping () -> SchedulerTimeType,
        scheduleImmediately: @escaping (SchedulerOptions?, @escaping () -> Void) -> Void,
        delayed:
            @escaping (SchedulerTimeType, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void) ->
            Void,
        interval:
            @escaping (
                SchedulerTimeType, SchedulerTimeType.Stride, SchedulerTimeType.Stride, SchedulerOptions?,
                @escaping () -> Void
            ) -> any Cancellable
    ) {
        self.init(
            ClosureScheduler(
                tolerance: minimumTolerance, clock: now, asSoonAsPossible: scheduleImmediately, once: delayed,
                repeatedly: interval))
    }

    /// A scheduler that runs everything at once, with the clock standing where that of `scheduler` stands now.
    public static func immediate<S: Scheduler>(on scheduler: S) -> Self
    where S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions {
        AnyScheduler(ImmediateScheduler(now: scheduler.now))
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

    package var runsInline: Bool {
        (base as? any MainCapable)?.runsInline ?? false
    }
}
