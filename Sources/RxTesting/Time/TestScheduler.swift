public import Dispatch
public import FoundationEssentials
public import RxCore

/// A scheduler whose clock is advanced by the test. Not thread-safe.
///
/// Due actions run in the order of their times and, at the same time, in the order in which they were scheduled.
/// Meanwhile the clock shows the time of the action. An action that is scheduled for the current time, or for a time in
/// the past, runs one tick later, so that an effect never happens at the same time as its cause.
/// `simulateProcessingDelay` turns that off.
public final class TestScheduler: SchedulerType {
    private struct Entry {
        let time: TestTime
        let number: Int
        let action: () -> Void
    }

    /// The current time in ticks.
    public private(set) var clock: TestTime
    private let resolution: Double
    private let simulateProcessingDelay: Bool
    private var lastNumber = 0
    /// Sorted by time, then by number.
    private var entries: [Entry] = []
    private var isRunning = false

    /// Creates a scheduler.
    ///
    /// - Parameters:
    ///   - initialClock: The initial time.
    ///   - resolution: The duration of a tick in seconds.
    ///   - simulateProcessingDelay: Whether an action that is due immediately runs one tick later.
    public init(initialClock: TestTime, resolution: Double = 1, simulateProcessingDelay: Bool = true) {
        clock = initialClock
        self.resolution = resolution
        self.simulateProcessingDelay = simulateProcessingDelay
    }

    /// The current time as a date: ticks since 1970.
    public var now: RxTime { Date(timeIntervalSince1970: Double(clock) * resolution) }

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
        guard let ticks = ticks(in: dueTime) else { return Disposables.create() }
        let begun = SingleAssignmentDisposable()
        let timer = scheduleRelativeVirtual(after: ticks) { begun.setDisposable(action(state)) }
        return Disposables.create(timer, begun)
    }

    /// Runs `action` at `time`.
    public func scheduleAt(_ time: TestTime, action: @escaping () -> Void) {
        _ = insert(at: time, action)
    }

    /// Returns an observable that sends events at the recorded times, with or without observers.
    public func createHotObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        .hot(self, events)
    }

    /// Returns an observable that sends events to each observer at the recorded times, relative to its subscription.
    public func createColdObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        .cold(self, events)
    }

    /// Returns an observer that records events with their times.
    public func createObserver<Element>(_ type: Element.Type) -> TestableObserver<Element> {
        TestableObserver(self)
    }

    /// Creates the observable at `created`, subscribes to it at `subscribed`, disposes of the subscription at
    /// `disposed`, and runs until no action is scheduled.
    ///
    /// - Returns: The recorded events.
    public func start<Element>(
        created: TestTime = 100, subscribed: TestTime = 200, disposed: TestTime = 1000,
        create: @escaping () -> Observable<Element>
    ) -> TestableObserver<Element> {
        let observer = createObserver(Element.self)
        var source: Observable<Element>?
        let subscription = SingleAssignmentDisposable()
        scheduleAt(created) { source = create() }
        scheduleAt(subscribed) {
            if let source { subscription.setDisposable(source.subscribe(observer)) }
        }
        scheduleAt(disposed) { subscription.dispose() }
        start()
        return observer
    }

    /// Advances the clock until no action is scheduled or ``stop()`` is called. Does not return while a timer that
    /// repeats without end is scheduled.
    public func start() {
        isRunning = true
        while isRunning, runNext(until: .max) {}
        isRunning = false
    }

    /// Makes ``start()`` return after the current action.
    public func stop() {
        isRunning = false
    }

    /// Advances the clock to `time` and runs the actions that are due by then, including those that are scheduled
    /// meanwhile.
    public func advanceTo(_ time: TestTime) {
        precondition(time >= clock, "the clock stands at \(clock) and cannot go back to \(time)")
        while runNext(until: time) {}
        clock = time
    }

    /// Advances the clock by `interval` and runs the actions that are due by then.
    public func advanceBy(_ interval: TestTime) {
        advanceTo(clock + interval)
    }

    func scheduleRelativeVirtual(after interval: TestTime, _ action: @escaping () -> Void) -> any Disposable {
        insert(at: clock + max(0, interval), action)
    }

    /// Returns the duration in ticks, rounded, or nil if it never elapses.
    private func ticks(in interval: RxTimeInterval) -> TestTime? {
        let seconds: Double
        switch interval {
        case .seconds(let count): seconds = Double(count)
        case .milliseconds(let count): seconds = Double(count) / 1e3
        case .microseconds(let count): seconds = Double(count) / 1e6
        case .nanoseconds(let count): seconds = Double(count) / 1e9
        case .never: return nil
        @unknown default: return nil
        }
        return TestTime((seconds / resolution).rounded())
    }

    private func insert(at time: TestTime, _ action: @escaping () -> Void) -> any Disposable {
        lastNumber += 1
        let number = lastNumber
        let time = simulateProcessingDelay && time <= clock ? clock + 1 : max(time, clock)
        let place = entries.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        entries.insert(Entry(time: time, number: number, action: action), at: place)
        return Disposables.create { [weak self] in self?.entries.removeAll { $0.number == number } }
    }

    private func runNext(until limit: TestTime) -> Bool {
        guard let next = entries.first, next.time <= limit else { return false }
        entries.removeFirst()
        clock = max(clock, next.time)
        next.action()
        return true
    }
}
