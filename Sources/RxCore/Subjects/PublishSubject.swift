import CombineCore

/// A subject that tells its observers what it is told and keeps nothing. An error or a completion ends it for good: later
/// observers are told the end and nothing else.
///
/// May be used from any thread. What is sent from inside a delivery goes first; see ``Observable``.
public final class PublishSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType {
    /// The observer's side is the subject itself.
    public typealias SubjectObserverType = PublishSubject<Element>

    private let core = PassthroughSubject<Element, any Error>()
    private let ending = Ending()

    /// A subject without observers.
    public init() {
        super.init(SubjectSource(core: core, ending: ending).eraseToAnyPublisher())
    }

    /// Whether anybody is subscribed.
    public var hasObservers: Bool { !isDisposed && core.hasSubscribers }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { ending.isDisposed }

    /// Tells everybody who is subscribed.
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
    public func asObserver() -> PublishSubject<Element> {
        self
    }

    /// Silences it: observers are told nothing more, later ones get ``RxError/disposed(object:)``.
    public func dispose() {
        ending.dispose()
    }
}
