import RxCore
import RxTesting

/// Records what a stream says.
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
    /// What the stream says at once to an observer.
    var saidAtOnce: [Event<Element>] {
        let recorder = Recorder<Element>()
        asObservable().subscribe(recorder).dispose()
        return recorder.events
    }
}

extension TestScheduler {
    /// What a stream of the scheduler says between 200 and 1000.
    func run<Element>(_ create: @escaping () -> Observable<Element>) -> [Recorded<Event<Element>>] {
        start(create: create).events
    }
}

struct Failure: Error, Equatable {
    var name = "failure"
}
