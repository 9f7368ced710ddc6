import CombineCore

/// A subject that starts every observer off with the last elements that it was told, and with its end if it has ended.
///
/// May be used from any thread. What is sent while an observer is being started off reaches that observer afterwards;
/// otherwise what is sent from inside a delivery goes first, see ``Observable``.
public final class ReplaySubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType {
    /// The observer's side is the subject itself.
    public typealias SubjectObserverType = ReplaySubject<Element>

    private let recording: Recording<Element>

    private init(limit: Int?) {
        let recording = Recording<Element>(limit: limit)
        self.recording = recording
        super.init(Served(serve: { observer, group in group.add(recording.serve(observer)) }).eraseToAnyPublisher())
    }

    /// A subject that keeps at most the given number of elements.
    public static func create(bufferSize: Int) -> ReplaySubject<Element> {
        ReplaySubject(limit: max(0, bufferSize))
    }

    /// A subject that keeps every element for as long as it lives.
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(limit: nil)
    }

    /// Whether anybody is subscribed.
    public var hasObservers: Bool { recording.hasObservers }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { recording.isDisposed }

    /// Keeps the element, and tells everybody who is subscribed.
    public func on(_ event: Event<Element>) {
        recording.on(event)
    }

    /// The subject itself.
    public func asObserver() -> ReplaySubject<Element> {
        self
    }

    /// Silences it and forgets what it has kept; later observers get ``RxError/disposed(object:)``.
    public func dispose() {
        recording.dispose()
    }
}
