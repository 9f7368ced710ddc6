public import RxCore

/// An observable that sends prerecorded events and records the times of its subscriptions.
public final class TestableObservable<Element>: ObservableType {
    /// The subscriptions so far, in order.
    public private(set) var subscriptions: [Subscription] = []
    /// The events and their times.
    public let recordedEvents: [Recorded<Event<Element>>]
    private let scheduler: TestScheduler
    private let attach: (AnyObserver<Element>) -> any Disposable

    private init(
        _ scheduler: TestScheduler, _ recordedEvents: [Recorded<Event<Element>>],
        attach: @escaping (AnyObserver<Element>) -> any Disposable
    ) {
        self.scheduler = scheduler
        self.recordedEvents = recordedEvents
        self.attach = attach
    }

    /// Returns an observable that sends events at the recorded times, with or without observers.
    static func hot(_ scheduler: TestScheduler, _ events: [Recorded<Event<Element>>]) -> TestableObservable {
        let subject = PublishSubject<Element>()
        for recorded in events { scheduler.scheduleAt(recorded.time) { subject.on(recorded.value) } }
        return TestableObservable(scheduler, events) { subject.subscribe($0) }
    }

    /// Returns an observable that sends events to each observer at the recorded times, relative to its subscription.
    static func cold(_ scheduler: TestScheduler, _ events: [Recorded<Event<Element>>]) -> TestableObservable {
        TestableObservable(scheduler, events) { observer in
            let timers = events.map { recorded in
                scheduler.schedule(at: scheduler.clock + recorded.time) { observer.on(recorded.value) }
            }
            return Disposables.create(timers)
        }
    }

    /// Subscribes `observer` and records the subscription.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        // The index identifies the entry, because observers need not unsubscribe in order.
        let index = subscriptions.count
        subscriptions.append(Subscription(scheduler.clock))
        let attachment = attach(AnyObserver(observer))
        let end = Disposables.create { [self] in
            subscriptions[index] = Subscription(subscriptions[index].subscribe, scheduler.clock)
        }
        return Disposables.create(attachment, end)
    }
}
