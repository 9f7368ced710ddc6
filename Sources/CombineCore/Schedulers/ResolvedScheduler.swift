/// The scheduler that a timing operator really uses, decided when it is subscribed.
///
/// It is the one that the operator was given, unless that one is "main" and ``MainContext`` has a substitute for it.
@usableFromInline
struct ResolvedScheduler<Context: Scheduler> {
    @usableFromInline let context: Context
    @usableFromInline let options: Context.SchedulerOptions?
    @usableFromInline let adapter: SubstituteAdapter<Context>?

    @usableFromInline
    init(_ context: Context, options: Context.SchedulerOptions?) {
        self.context = context
        self.options = options
        if let substitute = MainContext.current, let capable = context as? any MainCapable, capable.isMain {
            adapter = SubstituteAdapter(substitute, for: capable)
        } else {
            adapter = nil
        }
    }

    @inlinable var now: Context.SchedulerTimeType {
        adapter?.now() ?? context.now
    }

    /// Runs `action` as soon as possible.
    @inlinable
    func schedule(_ action: @escaping () -> Void) {
        if let adapter {
            adapter.schedule(action)
        } else {
            context.schedule(options: options, action)
        }
    }

    /// Runs `action` once `interval` has passed.
    ///
    /// - Returns: A token that stops it, if the scheduler has such tokens; without one, the action runs anyway.
    @inlinable
    @discardableResult
    func schedule(
        after interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
        _ action: @escaping () -> Void
    ) -> (any Cancellable)? {
        if let adapter {
            return adapter.scheduleAfter(interval, action)
        }
        context.schedule(
            after: context.now.advanced(by: interval), tolerance: tolerance ?? context.minimumTolerance,
            options: options, action)
        return nil
    }
}

extension ResolvedScheduler {
    /// Runs `action` at `date`.
    @inlinable
    func schedule(at date: Context.SchedulerTimeType, _ action: @escaping () -> Void) {
        if let adapter {
            adapter.scheduleAfter(now.distance(to: date), action)
        } else {
            context.schedule(after: date, tolerance: context.minimumTolerance, options: options, action)
        }
    }

    /// Runs `action` once `interval` has passed and then again each `interval`, until the token is cancelled.
    @inlinable
    func schedule(every interval: Context.SchedulerTimeType.Stride, _ action: @escaping () -> Void) -> any Cancellable {
        if let adapter {
            return adapter.scheduleEvery(interval, action)
        }
        return context.schedule(
            after: context.now.advanced(by: interval), interval: interval, tolerance: context.minimumTolerance,
            options: options, action)
    }
}

/// A ``MainSubstitute`` that speaks the time of the scheduler it stands in for.
@usableFromInline
final class SubstituteAdapter<Context: Scheduler> {
    private let substitute: any MainSubstitute
    private let moment: (Duration) -> Context.SchedulerTimeType?
    private let duration: (Context.SchedulerTimeType.Stride) -> Duration?
    private let runsInline: Bool

    /// - Parameter capable: The instance of `Context` itself.
    init<Main: MainCapable>(_ substitute: any MainSubstitute, for capable: Main) {
        self.substitute = substitute
        runsInline = capable.runsInline
        moment = { capable.moment(at: $0) as? Context.SchedulerTimeType }
        duration = { stride in
            (stride as? Main.SchedulerTimeType.Stride).map { capable.duration(of: $0) }
        }
    }

    @usableFromInline
    func now() -> Context.SchedulerTimeType? {
        moment(substitute.now)
    }

    @usableFromInline
    func schedule(_ action: @escaping () -> Void) {
        if runsInline, MainContext.current === substitute {
            action()
        } else {
            substitute.schedule(action)
        }
    }

    @usableFromInline
    @discardableResult
    func scheduleAfter(_ interval: Context.SchedulerTimeType.Stride, _ action: @escaping () -> Void) -> any Cancellable
    {
        substitute.schedule(after: duration(interval) ?? .zero, action)
    }

    @usableFromInline
    func scheduleEvery(_ interval: Context.SchedulerTimeType.Stride, _ action: @escaping () -> Void) -> any Cancellable
    {
        let interval = duration(interval) ?? .zero
        return MainTimer.start(on: substitute, after: interval, every: interval, action)
    }
}
