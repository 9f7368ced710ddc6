import CombineCore
public import StateCapture

/// A subject that keeps its latest element and sends it to each new observer. After an error or a completion, later
/// observers receive only that event.
///
/// May be used from any thread. An element that is sent during a delivery is delivered first; see ``Observable``.
public final class BehaviorSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType {
    /// The subject itself is the observer.
    public typealias SubjectObserverType = BehaviorSubject<Element>

    private let core: CurrentValueSubject<Element, any Error>
    private let state = SubjectState()

    /// Creates a subject with the given initial element.
    public init(value: Element) {
        core = CurrentValueSubject(uncaptured: value)
        super.init(SubjectPublisher(core: core, state: state).eraseToAnyPublisher())
        StateRegistry.current?.register(holder: self, named: "behaviorSubject")
    }

    /// Whether the subject has observers.
    public var hasObservers: Bool { !isDisposed && core.hasSubscribers }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { state.isDisposed }

    /// Returns the latest element, also after a completion.
    ///
    /// - Throws: The error with which the subject failed, or ``RxError/disposed(object:)``.
    public func value() throws -> Element {
        switch state.phase {
        case .open, .completed: return core.value
        case .failed(let error): throw error
        case .disposed: throw RxError.disposed(object: self)
        }
    }

    /// Keeps the element and sends it to all observers.
    public func on(_ event: Event<Element>) {
        state.send(event, through: core)
    }

    /// Returns the subject itself.
    public func asObserver() -> BehaviorSubject<Element> {
        self
    }

    /// Ends the subject without an event. Later observers receive ``RxError/disposed(object:)``.
    public func dispose() {
        state.dispose()
    }
}

extension BehaviorSubject: StateHolder {
    /// The element, and whether and how the subject has terminated.
    public struct HeldState: Codable {
        let value: StoredValue<Element>
        let end: SubjectEnd
    }

    /// The type of the element.
    public static var heldTypes: [any Any.Type] { [Element.self] }

    /// The state that a session captures.
    public var heldState: HeldState { HeldState(value: StoredValue(core.value), end: state.end) }

    /// Puts back a captured state.
    public func restoreHeld(_ state: HeldState) {
        core.restoreValue(state.value.value)
        core.restore(self.state.restore(state.end))
    }
}
