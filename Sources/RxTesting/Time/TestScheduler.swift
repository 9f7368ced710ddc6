public import Dispatch
public import FoundationEssentials
public import RxCore

/// A scheduler whose clock is moved by hand: time passes when a test says so. Not for use from several threads.
///
/// What is due runs in the order of its time and, at the same time, in the order in which it was scheduled; the clock
/// stands at that time meanwhile. What is scheduled for now, or for a time that has passed, runs a tick later, so that
/// nothing happens at the moment that caused it; `simulateProcessingDelay` turns that off.
public final class TestScheduler: SchedulerType {
    private struct Entry {
        let time: TestTime
        let number: Int
        let action: () -> Void
    }

    /// Where the clock stands, in ticks.
    public private(set) var clock: TestTime
    private let resolution: Double
    private let simulateProcessingDelay: Bool
    private var lastNumber = 0
    /// Sorted by time, then number.
    private var entries: [Entry] = []
    private var isRunning = false

    /// A scheduler whose clock stands at `initialClock` and ticks each `resolution` seconds.
    public init(initialClock: TestTime, resolution: Double = 1, simulateProcessingDelay: Bool = true) {
        clock = initialClock
        self.resolution = resolution
        self.simulateProcessingDelay = simulateProcessingDelay
    }

    /// The clock's time as a date: ticks since 1970.
    public var now: RxTime { Date(timeIntervalSince1970: Double(clock) * resolution) }

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
        guard let ticks = ticks(in: dueTime) else { return Disposables.create() }
        let begun = SingleAssignmentDisposable()
        let timer = scheduleRelativeVirtual(after: ticks) { begun.setDisposable(action(state)) }
        return Disposables.create(timer, begun)
    }

    /// Runs `action` when the clock stands at `time`.
    public func scheduleAt(_ time: TestTime, action: @escaping () -> Void) {
        _ = insert(at: time, action)
    }

    /// A stream that sends at the recorded times, whether anybody listens or not.
    public func createHotObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        .hot(self, events)
    }

    /// A stream that sends to each observer, at the recorded times after its subscription.
    public func createColdObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        .cold(self, events)
    }

    /// An observer that records what it is told and when.
    public func createObserver<Element>(_ type: Element.Type) -> TestableObserver<Element> {
        TestableObserver(self)
    }

    /// Makes the stream at `created`, subscribes to it at `subscribed`, disposes of the subscription at `disposed`, and
    /// runs until nothing is scheduled any more.
    ///
    /// - Returns: What the stream said and when.
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

    /// Moves the clock on until nothing is scheduled any more, or ``stop()`` is called; with a timer that repeats for ever
    /// and is never disposed of it does not return.
    public func start() {
        isRunning = true
        while isRunning, runNext(until: .max) {}
        isRunning = false
    }

    /// Lets ``start()`` return after the present action.
    public func stop() {
        isRunning = false
    }

    /// Moves the clock to `time` and runs what falls due, including what is scheduled meanwhile.
    public func advanceTo(_ time: TestTime) {
        precondition(time >= clock, "the clock stands at \(clock) and cannot go back to \(time)")
        while runNext(until: time) {}
        clock = time
    }

    /// Moves the clock on by `interval` and runs what falls due.
    public func advanceBy(_ interval: TestTime) {
        advanceTo(clock + interval)
    }

    func scheduleRelativeVirtual(after interval: TestTime, _ action: @escaping () -> Void) -> any Disposable {
        insert(at: clock + max(0, interval), action)
    }

    /// The length in ticks, rounded; nil for what is never due.
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
