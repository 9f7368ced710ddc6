import CombineCore
import Locking

/// A subject that emits only its last element, and only when it completes. Later observers receive the same element and
/// completion. After an error, observers receive only the error.
///
/// May be used from any thread.
public final class AsyncSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType {
    /// The subject itself is the observer.
    public typealias SubjectObserverType = AsyncSubject<Element>

    private let last: LastElement<Element>

    /// Creates a subject without an element.
    public init() {
        let last = LastElement<Element>()
        self.last = last
        super.init(Served(serve: { observer, group in group.add(last.serve(observer)) }).eraseToAnyPublisher())
    }

    /// Whether the subject has observers.
    public var hasObservers: Bool { last.hasObservers }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { last.ending.isDisposed }

    /// Replaces the kept element. A completion sends it to all observers.
    public func on(_ event: Event<Element>) {
        last.on(event)
    }

    /// Returns the subject itself.
    public func asObserver() -> AsyncSubject<Element> {
        self
    }

    /// Ends the subject without an event and releases its elements. Later observers receive
    /// ``RxError/disposed(object:)``.
    public func dispose() {
        last.dispose()
    }
}

/// The element and the observers of an ``AsyncSubject``.
private final class LastElement<Element> {
    let ending = Ending()
    private let core = PassthroughSubject<Element, any Error>()
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var element: Element?

    deinit {
        stayOutOfClients()
    }

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

    /// Sends the observer the result, or subscribes it until there is one.
    func serve(_ observer: AnyObserver<Element>) -> any Disposable {
        let link = ObserverLink(observer)
        let (situation, last) = lock.withLock { () -> (Ending.Situation, Element?) in
            // Subscribed under the lock, so that the subject cannot terminate in between. That is safe because it only
            // registers the subscriber and runs no foreign code.
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
