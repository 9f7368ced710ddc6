import CombineCore
public import StateCapture

/// A subject that replays its latest elements, and its terminal event if there was one, to each new observer.
///
/// May be used from any thread. An element that is sent during a replay reaches that observer after the replay.
/// Otherwise, an element that is sent during a delivery is delivered first; see ``Observable``.
public final class ReplaySubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType {
    /// The subject itself is the observer.
    public typealias SubjectObserverType = ReplaySubject<Element>

    private let buffer: ReplayBuffer<Element>

    private init(limit: Int?) {
        let buffer = ReplayBuffer<Element>(limit: limit)
        self.buffer = buffer
        super.init(
            AnonymousPublisher(subscribe: { observer, group in group.add(buffer.subscribe(observer)) })
                .eraseToAnyPublisher())
        StateRegistry.current?.register(holder: self, named: "replaySubject")
    }

    /// Creates a subject that keeps at most `bufferSize` elements.
    public static func create(bufferSize: Int) -> ReplaySubject<Element> {
        ReplaySubject(limit: max(0, bufferSize))
    }

    /// Creates a subject that keeps every element until it is deallocated.
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(limit: nil)
    }

    /// Whether the subject has observers.
    public var hasObservers: Bool { buffer.hasObservers }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { buffer.isDisposed }

    /// Keeps the element and sends it to all observers.
    public func on(_ event: Event<Element>) {
        buffer.on(event)
    }

    /// Returns the subject itself.
    public func asObserver() -> ReplaySubject<Element> {
        self
    }

    /// Ends the subject without an event and releases its elements. Later observers receive
    /// ``RxError/disposed(object:)``.
    public func dispose() {
        buffer.dispose()
    }
}

extension ReplaySubject: StateHolder {
    /// The kept elements, and whether and how the subject has terminated.
    public struct HeldState: Codable {
        let elements: CapturedValues<Element>
        let end: SubjectEnd
    }

    /// The type of the elements.
    public static var heldTypes: [any Any.Type] { [Element.self] }

    /// The state that a session captures.
    public var heldState: HeldState { HeldState(elements: buffer.elements, end: buffer.end) }

    /// Puts back a captured state.
    public func restoreHeld(_ state: HeldState) {
        buffer.restore(state.elements, state.end)
    }
}
