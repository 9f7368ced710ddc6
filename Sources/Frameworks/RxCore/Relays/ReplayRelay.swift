public import StateCapture

/// A relay that replays its latest elements to each new observer. It never terminates.
///
/// May be used from any thread. An element that is accepted during a delivery is delivered first; see ``Observable``.
public final class ReplayRelay<Element>: ObservableType {
    private let subject: ReplaySubject<Element>

    private init(_ makeSubject: () -> ReplaySubject<Element>) {
        // The relay is what is captured.
        subject = OperatorCapture.withoutCapture(makeSubject)
        StateRegistry.current?.register(holder: self, named: "replayRelay")
    }

    /// Creates a relay that keeps at most `bufferSize` elements.
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        ReplayRelay { .create(bufferSize: bufferSize) }
    }

    /// Creates a relay that keeps every element until it is deallocated.
    public static func createUnbound() -> ReplayRelay<Element> {
        ReplayRelay { .createUnbounded() }
    }

    /// Keeps the element and sends it to all observers.
    public func accept(_ event: Element) {
        subject.onNext(event)
    }

    /// Subscribes `observer`, which receives the kept elements immediately and never a terminal event.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        subject.subscribe(observer)
    }

    /// Returns an observable of the relay's elements that cannot be used to send.
    public func asObservable() -> Observable<Element> {
        Observable(subject.source)
    }
}

extension ReplayRelay: StateHolder {
    /// The type of the elements.
    public static var heldTypes: [any Any.Type] { [Element.self] }

    /// The state that a session captures.
    public var heldState: ReplaySubject<Element>.HeldState { subject.heldState }

    /// Puts back a captured state.
    public func restoreHeld(_ state: ReplaySubject<Element>.HeldState) {
        subject.restoreHeld(state)
    }
}
