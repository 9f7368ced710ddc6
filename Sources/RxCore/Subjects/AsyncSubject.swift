import CombineCore

/// A subject that says nothing until it completes: then it tells the last element that it was told, if any, and the end,
/// also to observers that come later. After an error it tells the error only.
///
/// May be used from any thread: one thread at a time sends or subscribes, the others wait.
public final class AsyncSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType {
    /// The observer's side is the subject itself.
    public typealias SubjectObserverType = AsyncSubject<Element>

    private let last: LastElement<Element>

    /// A subject that has been told nothing.
    public init() {
        let last = LastElement<Element>()
        self.last = last
        super.init(Served(serve: { observer, group in group.add(last.serve(observer)) }).eraseToAnyPublisher())
    }

    /// Whether anybody is subscribed.
    public var hasObservers: Bool { last.hasObservers }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { last.ending.isDisposed }

    /// Keeps the element in place of the one before; a completion tells it to everybody who is subscribed.
    public func on(_ event: Event<Element>) {
        last.on(event)
    }

    /// The subject itself.
    public func asObserver() -> AsyncSubject<Element> {
        self
    }

    /// Silences it and forgets what it has kept; later observers get ``RxError/disposed(object:)``.
    public func dispose() {
        last.dispose()
    }
}

/// What an ``AsyncSubject`` keeps, and whom it tells.
private final class LastElement<Element> {
    let ending = Ending()
    private let gate = Serializer()
    private let core = PassthroughSubject<Element, any Error>()
    /// Used inside the gate.
    private var element: Element?

    var hasObservers: Bool { !ending.isDisposed && core.hasSubscribers }

    func on(_ event: Event<Element>) {
        gate.run {
            switch event {
            case .next(let element):
                if ending.isOpen { self.element = element }
            case .error(let error):
                guard ending.become(.failed(error)) else { return }
                element = nil
                core.send(completion: .failure(error))
            case .completed:
                guard ending.become(.completed) else { return }
                if let element { core.send(element) }
                core.send(completion: .finished)
            }
        }
    }

    /// Tells the observer what has come of it, or lets it wait for that.
    func serve(_ observer: AnyObserver<Element>) -> any Disposable {
        gate.run {
            switch ending.situation {
            case .open:
                let link = ObserverLink(observer)
                core.receive(subscriber: link)
                return link
            case .completed:
                if let element { observer.onNext(element) }
                observer.onCompleted()
            case .failed(let error): observer.onError(error)
            case .disposed: observer.onError(RxError.disposed(object: self))
            }
            return Disposables.create()
        }
    }

    func dispose() {
        ending.dispose()
        gate.run { element = nil }
    }
}
