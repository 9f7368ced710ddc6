public import RxCore

/// A stream whose events are written down beforehand, and that records who subscribed when.
public final class TestableObservable<Element>: ObservableType {
    /// The subscriptions so far, in order.
    public private(set) var subscriptions: [Subscription] = []
    /// What it sends and when.
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

    /// A stream that sends at the recorded times, whether anybody listens or not.
    static func hot(_ scheduler: TestScheduler, _ events: [Recorded<Event<Element>>]) -> TestableObservable {
        let subject = PublishSubject<Element>()
        for recorded in events { scheduler.scheduleAt(recorded.time) { subject.on(recorded.value) } }
        return TestableObservable(scheduler, events) { subject.subscribe($0) }
    }

    /// A stream that sends to each observer, at the recorded times after its subscription.
    static func cold(_ scheduler: TestScheduler, _ events: [Recorded<Event<Element>>]) -> TestableObservable {
        TestableObservable(scheduler, events) { observer in
            let timers = events.map { recorded in
                scheduler.scheduleRelativeVirtual(after: recorded.time) { observer.on(recorded.value) }
            }
            return Disposables.create(timers)
        }
    }

    /// Subscribes `observer` and records it.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let place = subscriptions.count
        subscriptions.append(Subscription(scheduler.clock))
        let attachment = attach(AnyObserver(observer))
        let end = Disposables.create { [self] in
            subscriptions[place] = Subscription(subscriptions[place].subscribe, scheduler.clock)
        }
        return Disposables.create(attachment, end)
    }
}
