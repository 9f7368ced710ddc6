import RxCore
import RxTesting

/// Records the events of an observable.
final class Recorder<Element>: ObserverType {
    private(set) var events: [Event<Element>] = []

    func on(_ event: Event<Element>) {
        events.append(event)
    }

    var elements: [Element] { events.compactMap(\.element) }
    var hasCompleted: Bool { events.last?.isCompleted ?? false }
    var error: (any Error)? { events.last?.error }
}

extension ObservableConvertibleType {
    /// The events that the observable sends to an observer during the subscription.
    var immediateEvents: [Event<Element>] {
        let recorder = Recorder<Element>()
        asObservable().subscribe(recorder).dispose()
        return recorder.events
    }
}

extension TestScheduler {
    /// Returns the events of an observable between 200 and 1000 on the scheduler's clock.
    func run<Element>(_ create: @escaping () -> Observable<Element>) -> [Recorded<Event<Element>>] {
        start(create: create).events
    }
}

struct Failure: Error, Equatable {
    var name = "failure"
}
