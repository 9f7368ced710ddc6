import Locking
import StateCapture
import Synchronization

/// The scheduler that a timing operator uses.
///
/// It is the scheduler that was passed to the operator, unless that is "main" and ``MainContext`` has a substitute for
/// it.
// Resolved when the operator is subscribed, not when a value arrives: the stream belongs to the session that
// subscribed, and values may arrive on threads that have no substitute.
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

    /// Runs `action` after `interval`.
    ///
    /// - Returns: A token that cancels the action, or nil if the scheduler has no such tokens and the action always
    ///   runs.
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

    /// Runs `action` after `interval` and then repeatedly at `interval`, until the returned token is cancelled.
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

/// An adapter that lets a ``MainSubstitute`` use the time types of the scheduler that it replaces.
@usableFromInline
final class SubstituteAdapter<Context: Scheduler> {
    private let substitute: any MainSubstitute
    private let moment: (Duration) -> Context.SchedulerTimeType?
    private let duration: (Context.SchedulerTimeType.Stride) -> Duration?
    private let runsInline: Bool
    /// Whether the operator was subscribed while a machine was wired, so that it is captured with its timers.
    private let isCaptured = StateRegistry.isWiring
    /// The time of the last action that was scheduled with a delay, in nanoseconds on the substitute's clock.
    // Atomic, because values may arrive on any thread.
    private let last = AtomicProperty<Int64>(0)
    /// The times of all actions that have not run, if ``recordDues()`` was called.
    private let dues = Lock<Queue<StoredTime>?>(nil)

    /// Creates an adapter.
    ///
    /// - Parameter capable: The scheduler of type `Context`, opened from an existential.
    init<Main: MainCapable>(_ substitute: any MainSubstitute, for capable: Main) {
        self.substitute = substitute
        runsInline = capable.runsInline
        // `Main` and `Context` are the same type, which the compiler does not know here: the scheduler was opened from
        // an existential. The casts therefore always succeed.
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
        // Only inside a turn of the session that the stream belongs to. In a turn of another session, or outside of
        // turns, running inline would touch the machine on the wrong thread.
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
        schedule(at: substitute.now + (duration(interval) ?? .zero), action)
    }

    @discardableResult
    func schedule(at due: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        last.atomic.store(due.inNanoseconds, ordering: .relaxed)
        let delay = max(due - substitute.now, .zero)
        let isRecording = dues.withLock { dues in
            dues?.append(StoredTime(due))
            return dues != nil
        }
        guard isRecording else { return substitute.schedule(after: delay, isCaptured: isCaptured, action) }
        return substitute.schedule(after: delay, isCaptured: isCaptured) { [self] in
            // Equal delays: the actions run in the order in which they were scheduled.
            dues.withLock { _ = $0?.removeFirst() }
            action()
        }
    }

    /// Records the times of all actions from now on. Only for actions that are never cancelled and have equal delays.
    @usableFromInline
    func recordDues() {
        dues.withLock { $0 = Queue() }
    }

    /// The recorded times of the actions that have not run.
    var recordedDues: Queue<StoredTime> {
        get { dues.withLock { $0 } ?? Queue() }
        set { dues.withLock { $0 = newValue } }
    }

    /// The time of the last action that was scheduled with a delay.
    var lastDue: StoredTime {
        get { StoredTime(nanoseconds: last.atomic.load(ordering: .relaxed)) }
        set { last.atomic.store(newValue.nanoseconds, ordering: .relaxed) }
    }

    /// Returns the point in time for a time of the scheduler.
    func stored(_ date: Context.SchedulerTimeType) -> StoredTime? {
        guard let now = now(), let distance = duration(now.distance(to: date)) else { return nil }
        return StoredTime(substitute.now + distance)
    }

    /// Returns the time of the scheduler for a point in time.
    func date(_ time: StoredTime) -> Context.SchedulerTimeType? { moment(time.duration) }

    /// Runs `action` at `first`, and then repeatedly at `interval`.
    func schedule(
        every interval: Context.SchedulerTimeType.Stride, from first: StoredTime, _ action: @escaping () -> Void
    ) -> any Cancellable {
        MainTimer.start(
            on: substitute, after: first.duration - substitute.now, every: duration(interval) ?? .zero,
            isCaptured: isCaptured, action)
    }

    @usableFromInline
    func scheduleEvery(_ interval: Context.SchedulerTimeType.Stride, _ action: @escaping () -> Void) -> any Cancellable
    {
        let interval = duration(interval) ?? .zero
        last.atomic.store((substitute.now + interval).inNanoseconds, ordering: .relaxed)
        return MainTimer.start(on: substitute, after: interval, every: interval, isCaptured: isCaptured, action)
    }
}
