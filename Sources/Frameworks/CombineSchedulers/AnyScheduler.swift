public import CombineCore

/// A type-erased scheduler. Only its types of time and options are visible.
///
/// A view model that takes an `AnySchedulerOf<DispatchQueue>` can run on a queue in production and on a
/// ``TestScheduler`` in tests.
public struct AnyScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler, @unchecked Sendable
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    // Sendable because schedulers are meant to be called from any thread, which a wrapped scheduler has to support. The
    // stored properties are immutable and only call that scheduler.
    private let base: any Scheduler<SchedulerTimeType>
    private let asSoonAsPossible: (SchedulerOptions?, @escaping () -> Void) -> Void
    private let once: (SchedulerTimeType, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void) -> Void
    private let repeatedly:
        (SchedulerTimeType, SchedulerTimeType.Stride, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void)
            -> any Cancellable

    /// Creates a scheduler that wraps `scheduler`. A scheduler that is already type-erased is not wrapped again.
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

    /// Creates a scheduler from closures.
    ///
    /// - Parameters:
    ///   - minimumTolerance: Returns the minimum tolerance.
    ///   - now: Returns the current time.
    ///   - scheduleImmediately: Runs an action as soon as possible.
    ///   - delayed: Runs an action once, after a date, with a tolerance.
    ///   - interval: Runs an action after a date and then at each interval, until the token is cancelled.
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

    /// Returns a scheduler that runs actions immediately. Its clock always shows the current time of `scheduler`.
    public static func immediate<S: Scheduler>(on scheduler: S) -> Self
    where S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions {
        AnyScheduler(ImmediateScheduler(now: scheduler.now))
    }

    /// The current time of the wrapped scheduler.
    public var now: SchedulerTimeType { base.now }

    /// The minimum tolerance of the wrapped scheduler.
    public var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }

    /// Runs `action` as soon as possible.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        asSoonAsPossible(options, action)
    }

    /// Runs `action` once after `date`.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        once(date, tolerance, options, action)
    }

    /// Runs `action` after `date` and then at each `interval`, until the token is cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        repeatedly(date, interval, tolerance, options, action)
    }
}

/// An ``AnyScheduler`` with the types of time and options of the scheduler type `S`.
public typealias AnySchedulerOf<S: Scheduler> = AnyScheduler<S.SchedulerTimeType, S.SchedulerOptions>

extension Scheduler {
    /// Returns this scheduler with its type erased.
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
