public import Dispatch
public import FoundationEssentials

/// A scheduler whose clock is moved by hand. Not for use from several threads at the same time.
///
/// What is due runs in the order of its time and, at the same time, in the order in which it was scheduled; the clock shows
/// that time meanwhile.
open class VirtualTimeScheduler<Converter: VirtualTimeConverterType>: SchedulerType {
    /// What the clock shows.
    public typealias VirtualTime = Converter.VirtualTimeUnit
    /// What the clock is moved on by.
    public typealias VirtualTimeInterval = Converter.VirtualTimeIntervalUnit

    private struct Entry {
        let time: VirtualTime
        let number: Int
        let action: () -> Void
    }

    /// What the clock shows.
    public private(set) var clock: VirtualTime
    private let converter: Converter
    private var lastNumber = 0
    /// Sorted by time, then number.
    private var entries: [Entry] = []
    private var isRunning = false

    /// A scheduler whose clock shows `initialClock`.
    public init(initialClock: VirtualTime, converter: Converter) {
        clock = initialClock
        self.converter = converter
    }

    /// The date that the clock shows.
    public var now: RxTime { converter.convertFromVirtualTime(clock) }

    /// Runs `action` when the clock is moved next.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        scheduleRelative(state, dueTime: .nanoseconds(0), action: action)
    }

    /// Runs `action` when the clock has moved on by `dueTime`.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        if case .never = dueTime { return Disposables.create() }
        let time = converter.convertToVirtualTime(now.addingTimeInterval(dueTime.seconds))
        return scheduleAbsoluteVirtual(state, time: adjustScheduledTime(time), action: action)
    }

    /// Runs `action` when the clock has moved on by `dueTime`.
    public func scheduleRelativeVirtual<StateType>(
        _ state: StateType, dueTime: VirtualTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleAbsoluteVirtual(state, time: converter.offsetVirtualTime(clock, offset: dueTime), action: action)
    }

    /// Runs `action` when the clock shows `time`, or when it is moved next if it shows a later time already.
    public func scheduleAbsoluteVirtual<StateType>(
        _ state: StateType, time: VirtualTime, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        lastNumber += 1
        let number = lastNumber
        let begun = SingleAssignmentDisposable()
        let entry = Entry(time: time, number: number) { begun.setDisposable(action(state)) }
        let place = entries.lastIndex { !isLater($0.time, than: time) }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
        let entryRemoval = Disposables.create { [weak self] in self?.entries.removeAll { $0.number == number } }
        return Disposables.create(entryRemoval, begun)
    }

    /// The time at which something is run that is due at `time`. Subclasses may move it.
    open func adjustScheduledTime(_ time: VirtualTime) -> VirtualTime {
        time
    }

    /// Moves the clock on until nothing is scheduled, or ``stop()`` is called; with a timer that repeats without end and is
    /// not disposed of it does not return. Does nothing from inside an action.
    public func start() {
        guard !isRunning else { return }
        isRunning = true
        while isRunning, let first = entries.first { run(first) }
        isRunning = false
    }

    /// Moves the clock to `virtualTime` and runs what is due by then, including what is scheduled meanwhile. Stops the
    /// process if it is called from inside an action.
    public func advanceTo(_ virtualTime: VirtualTime) {
        precondition(!isRunning, "the scheduler is running and cannot be advanced from inside an action")
        isRunning = true
        while isRunning, let first = entries.first, !isLater(first.time, than: virtualTime) { run(first) }
        clock = virtualTime
        isRunning = false
    }

    /// Moves the clock on by `virtualInterval` and runs nothing; what is due by then runs later, when the clock is moved.
    /// Stops the process if the interval leads back.
    public func sleep(_ virtualInterval: VirtualTimeInterval) {
        let time = converter.offsetVirtualTime(clock, offset: virtualInterval)
        precondition(!isLater(clock, than: time), "the clock shows \(clock) and cannot go back to \(time)")
        clock = time
    }

    /// Lets ``start()`` or ``advanceTo(_:)`` return after the present action.
    public func stop() {
        isRunning = false
    }

    private func run(_ entry: Entry) {
        entries.removeFirst()
        if isLater(entry.time, than: clock) { clock = entry.time }
        entry.action()
    }

    private func isLater(_ time: VirtualTime, than other: VirtualTime) -> Bool {
        converter.compareVirtualTime(time, other) == .greaterThan
    }
}
