public import Dispatch
public import FoundationEssentials

/// A scheduler whose clock is advanced by the program, of any type of time.
protocol VirtualClock: SchedulerType {}

extension VirtualTimeScheduler: VirtualClock {}

/// A scheduler whose clock is advanced by the program. Not thread-safe.
///
/// Due actions run in the order of their times and, at the same time, in the order in which they were scheduled.
/// Meanwhile the clock shows the time of the action.
open class VirtualTimeScheduler<Converter: VirtualTimeConverterType>: SchedulerType {
    /// The current virtual time.
    public typealias VirtualTime = Converter.VirtualTimeUnit
    /// The type of the intervals by which the clock advances.
    public typealias VirtualTimeInterval = Converter.VirtualTimeIntervalUnit

    private struct Entry {
        let time: VirtualTime
        let number: Int
        let action: () -> Void
    }

    /// The current virtual time.
    public private(set) var clock: VirtualTime
    private let converter: Converter
    private var lastNumber = 0
    /// Sorted by time, then by number.
    private var entries: [Entry] = []
    private var isRunning = false

    /// Creates a scheduler whose clock shows `initialClock`.
    public init(initialClock: VirtualTime, converter: Converter) {
        clock = initialClock
        self.converter = converter
    }

    /// The date of the current virtual time.
    public var now: RxTime { converter.convertFromVirtualTime(clock) }

    /// Runs `action` when the clock is advanced next.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        scheduleRelative(state, dueTime: .nanoseconds(0), action: action)
    }

    /// Runs `action` when the clock has advanced by `dueTime`.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        // Otherwise it would become a finite number of nanoseconds.
        if case .never = dueTime { return Disposables.create() }
        let time = converter.convertToVirtualTime(now.addingTimeInterval(dueTime.seconds))
        return scheduleAbsoluteVirtual(state, time: adjustScheduledTime(time), action: action)
    }

    /// Runs `action` when the clock has advanced by `dueTime`.
    public func scheduleRelativeVirtual<StateType>(
        _ state: StateType, dueTime: VirtualTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleAbsoluteVirtual(state, time: converter.offsetVirtualTime(clock, offset: dueTime), action: action)
    }

    /// Runs `action` at `time`, or, if that is in the past, when the clock is advanced next.
    public func scheduleAbsoluteVirtual<StateType>(
        _ state: StateType, time: VirtualTime, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        lastNumber += 1
        let number = lastNumber
        let begun = SingleAssignmentDisposable()
        let entry = Entry(time: time, number: number) { begun.setDisposable(action(state)) }
        // Behind entries of the same time, which run in the order in which they were scheduled.
        let index = entries.lastIndex { !isLater($0.time, than: time) }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: index)
        let entryRemoval = Disposables.create { [weak self] in self?.entries.removeAll { $0.number == number } }
        return Disposables.create(entryRemoval, begun)
    }

    /// Returns the time at which an action that is due at `time` runs. Subclasses may override it to change the time.
    open func adjustScheduledTime(_ time: VirtualTime) -> VirtualTime {
        time
    }

    /// Advances the clock until no action is scheduled or ``stop()`` is called. Has no effect inside an action.
    ///
    /// Does not return while a timer that repeats without end is scheduled.
    public func start() {
        guard !isRunning else { return }
        isRunning = true
        while isRunning, let first = entries.first { run(first) }
        isRunning = false
    }

    /// Advances the clock to `virtualTime` and runs the actions that are due by then, including those that are
    /// scheduled meanwhile.
    ///
    /// - Precondition: The caller is not inside an action.
    open func advanceTo(_ virtualTime: VirtualTime) {
        precondition(!isRunning, "advanceTo(_:) was called from inside an action")
        isRunning = true
        while isRunning, let first = entries.first, !isLater(first.time, than: virtualTime) { run(first) }
        clock = virtualTime
        isRunning = false
    }

    /// Advances the clock by `virtualInterval` without running actions. Due actions run when the clock is advanced
    /// next.
    ///
    /// - Precondition: The interval is not negative.
    public func sleep(_ virtualInterval: VirtualTimeInterval) {
        let time = converter.offsetVirtualTime(clock, offset: virtualInterval)
        precondition(!isLater(clock, than: time), "expected a time of at least \(clock), got \(time)")
        clock = time
    }

    /// Makes ``start()`` or ``advanceTo(_:)`` return after the current action.
    public func stop() {
        isRunning = false
    }

    private func run(_ entry: Entry) {
        entries.removeFirst()
        // An entry may be overdue after `sleep(_:)`, and the clock must not go back.
        if isLater(entry.time, than: clock) { clock = entry.time }
        entry.action()
    }

    private func isLater(_ time: VirtualTime, than other: VirtualTime) -> Bool {
        converter.compareVirtualTime(time, other) == .greaterThan
    }
}
