public import RxCore

/// Records what it is told, with the time on the scheduler's clock.
public final class TestableObserver<Element>: ObserverType {
    /// What it was told so far.
    public private(set) var events: [Recorded<Event<Element>>] = []
    private let scheduler: TestScheduler

    init(_ scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    /// Records the event.
    public func on(_ event: Event<Element>) {
        events.append(Recorded(time: scheduler.clock, value: event))
    }
}
