/// A relay that starts every observer off with the last elements that it accepted. It never ends: it has no way to take an
/// error or a completion.
///
/// May be used from any thread. What is accepted from inside a delivery goes first; see ``Observable``.
public final class ReplayRelay<Element>: ObservableType {
    private let subject: ReplaySubject<Element>

    private init(_ subject: ReplaySubject<Element>) {
        self.subject = subject
    }

    /// A relay that keeps at most the given number of elements.
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        ReplayRelay(.create(bufferSize: bufferSize))
    }

    /// A relay that keeps every element for as long as it lives.
    public static func createUnbound() -> ReplayRelay<Element> {
        ReplayRelay(.createUnbounded())
    }

    /// Keeps the element, and tells everybody who is subscribed.
    public func accept(_ event: Element) {
        subject.onNext(event)
    }

    /// Subscribes `observer`, which is told what is kept at once and never an end.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        subject.subscribe(observer)
    }

    /// The relay's stream, without the way to send.
    public func asObservable() -> Observable<Element> {
        Observable(subject.source)
    }
}
