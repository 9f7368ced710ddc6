import CombineCore

/// A subject that starts every observer off with the element that it was told last. An error or a completion ends it for
/// good: later observers are told the end and nothing else.
///
/// May be used from any thread. What is sent from inside a delivery goes first; see ``Observable``.
public final class BehaviorSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType {
    /// The observer's side is the subject itself.
    public typealias SubjectObserverType = BehaviorSubject<Element>

    private let core: CurrentValueSubject<Element, any Error>
    private let ending = Ending()

    /// A subject whose first element is `value`.
    public init(value: Element) {
        core = CurrentValueSubject(value)
        super.init(SubjectSource(core: core, ending: ending).eraseToAnyPublisher())
    }

    /// Whether anybody is subscribed.
    public var hasObservers: Bool { !isDisposed && core.hasSubscribers }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { ending.isDisposed }

    /// The element that it was told last, also after it has completed. Throws the error that it has failed with, or
    /// ``RxError/disposed(object:)``.
    public func value() throws -> Element {
        switch ending.situation {
        case .open, .completed: return core.value
        case .failed(let error): throw error
        case .disposed: throw RxError.disposed(object: self)
        }
    }

    /// Keeps the element, and tells everybody who is subscribed.
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element):
            if ending.isOpen { core.send(element) }
        case .error(let error):
            if ending.become(.failed(error)) { core.send(completion: .failure(error)) }
        case .completed:
            if ending.become(.completed) { core.send(completion: .finished) }
        }
    }

    /// The subject itself.
    public func asObserver() -> BehaviorSubject<Element> {
        self
    }

    /// Silences it: observers are told nothing more, later ones get ``RxError/disposed(object:)``.
    public func dispose() {
        ending.dispose()
    }
}
