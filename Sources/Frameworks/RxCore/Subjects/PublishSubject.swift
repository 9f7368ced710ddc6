import CombineCore
public import StateCapture

/// A subject that forwards events to its observers and keeps no elements. After an error or a completion, later
/// observers receive only that event.
///
/// May be used from any thread. An element that is sent during a delivery is delivered first; see ``Observable``.
public final class PublishSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType {
    /// The subject itself is the observer.
    public typealias SubjectObserverType = PublishSubject<Element>

    private let core = PassthroughSubject<Element, any Error>(uncaptured: ())
    private let state = SubjectState()

    /// Creates a subject without observers.
    public init() {
        super.init(SubjectPublisher(core: core, state: state).eraseToAnyPublisher())
        StateRegistry.current?.register(holder: self, named: "publishSubject")
    }

    /// Whether the subject has observers.
    public var hasObservers: Bool { !isDisposed && core.hasSubscribers }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { state.isDisposed }

    /// Sends the event to all observers.
    public func on(_ event: Event<Element>) {
        state.send(event, through: core)
    }

    /// Returns the subject itself.
    public func asObserver() -> PublishSubject<Element> {
        self
    }

    /// Ends the subject without an event. Later observers receive ``RxError/disposed(object:)``.
    public func dispose() {
        state.dispose()
    }
}

extension PublishSubject: StateHolder {
    /// Whether and how the subject has terminated.
    public struct HeldState: Codable {
        let end: SubjectEnd
    }

    /// The state that a session captures.
    public var heldState: HeldState { HeldState(end: state.end) }

    /// Puts back a captured state.
    public func restoreHeld(_ state: HeldState) {
        core.restore(self.state.restore(state.end))
    }
}
