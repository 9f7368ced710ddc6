public import RxCore

/// A scheduler whose clock is advanced by the test. Not thread-safe.
///
/// Due actions run in the order of their times and, at the same time, in the order in which they were scheduled.
/// Meanwhile the clock shows the time of the action. An action that is scheduled for the current time, or for a time in
/// the past, runs one tick later, so that an effect never happens at the same time as its cause.
/// `simulateProcessingDelay` turns that off.
public final class TestScheduler: VirtualTimeScheduler<TestSchedulerVirtualTimeConverter> {
    private let simulateProcessingDelay: Bool

    /// Creates a scheduler.
    ///
    /// - Parameters:
    ///   - initialClock: The initial time.
    ///   - resolution: The duration of a tick in seconds.
    ///   - simulateProcessingDelay: Whether an action that is due immediately runs one tick later.
    public init(initialClock: TestTime, resolution: Double = 1, simulateProcessingDelay: Bool = true) {
        self.simulateProcessingDelay = simulateProcessingDelay
        super.init(initialClock: initialClock, converter: TestSchedulerVirtualTimeConverter(resolution: resolution))
    }

    /// Returns the time at which an action that is due at `time` runs: never in the past and, with
    /// `simulateProcessingDelay`, at the earliest one tick from now.
    override public func adjustScheduledTime(_ time: TestTime) -> TestTime {
        max(time, simulateProcessingDelay ? clock + 1 : clock)
    }

    /// Runs `action` at `time`.
    public func scheduleAt(_ time: TestTime, action: @escaping () -> Void) {
        _ = schedule(at: time, action)
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

    /// Creates the observable at `created`, subscribes to it at `subscribed`, disposes of the subscription at `disposed`,
    /// and runs until no action is scheduled.
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

    /// Advances the clock to `time` and runs the actions that are due by then, including those that are scheduled
    /// meanwhile.
    ///
    /// - Precondition: The time is not in the past, and the caller is not inside an action.
    override public func advanceTo(_ time: TestTime) {
        // The superclass, like RxSwift's, would set the clock back.
        precondition(time >= clock, "expected a time of at least \(clock), got \(time)")
        super.advanceTo(time)
    }

    /// Advances the clock by `interval` and runs the actions that are due by then.
    public func advanceBy(_ interval: TestTime) {
        advanceTo(clock + interval)
    }

    func schedule(at time: TestTime, _ action: @escaping () -> Void) -> any Disposable {
        // Adjusted here because the superclass adjusts only relative times.
        scheduleAbsoluteVirtual((), time: adjustScheduledTime(time)) {
            action()
            return Disposables.create()
        }
    }
}
