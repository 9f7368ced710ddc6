public import RxCore

/// An observer that records events with their times on the scheduler's clock.
public final class TestableObserver<Element>: ObserverType {
    /// The events received so far.
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
