import CombineCore
import Locking

/// A subject that says nothing until it completes: then it tells the last element that it was told, if any, and the end,
/// also to observers that come later. After an error it tells the error only.
///
/// May be used from any thread.
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

/// What an ``AsyncSubject`` keeps, and whom it tells. Nothing is called out to under its lock.
private final class LastElement<Element> {
    let ending = Ending()
    private let core = PassthroughSubject<Element, any Error>()
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var element: Element?

    var hasObservers: Bool { !ending.isDisposed && core.hasSubscribers }

    func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): replace(with: element)
        case .error(let error):
            guard ending.become(.failed(error)) else { return }
            core.send(completion: .failure(error))
        case .completed:
            let (isFirst, last) = lock.withLock { (ending.become(.completed), element) }
            guard isFirst else { return }
            if let last { core.send(last) }
            core.send(completion: .finished)
        }
    }

    /// Sends the observer the result, or lets it wait for that.
    func serve(_ observer: AnyObserver<Element>) -> any Disposable {
        let link = ObserverLink(observer)
        let (situation, last) = lock.withLock { () -> (Ending.Situation, Element?) in
            // Under the lock, so that an end does not slip in between; it attaches the link and calls nobody.
            if case .open = ending.situation { core.receive(subscriber: link) }
            return (ending.situation, element)
        }
        switch situation {
        case .open: return link
        case .completed:
            if let last { observer.onNext(last) }
            observer.onCompleted()
        case .failed(let error): observer.onError(error)
        case .disposed: observer.onError(RxError.disposed(object: self))
        }
        return link
    }

    func dispose() {
        ending.dispose()
        replace(with: nil)
    }

    private func replace(with element: Element?) {
        let former = lock.withLock { () -> Element? in
            guard ending.isOpen || element == nil else { return nil }
            defer { self.element = element }
            return self.element
        }
        withExtendedLifetime(former) {}
    }
}
