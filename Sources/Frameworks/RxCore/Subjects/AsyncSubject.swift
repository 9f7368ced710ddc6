import CombineCore
import Locking
public import StateCapture

/// A subject that emits only its last element, and only when it completes. Later observers receive the same element and
/// completion. After an error, observers receive only the error.
///
/// May be used from any thread.
public final class AsyncSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType {
    /// The subject itself is the observer.
    public typealias SubjectObserverType = AsyncSubject<Element>

    private let last: AsyncSubjectCore<Element>

    /// Creates a subject without an element.
    public init() {
        let last = AsyncSubjectCore<Element>()
        self.last = last
        super.init(
            AnonymousPublisher(subscribe: { observer, group in group.add(last.subscribe(observer)) })
                .eraseToAnyPublisher())
        StateRegistry.current?.register(holder: self, named: "asyncSubject")
    }

    /// Whether the subject has observers.
    public var hasObservers: Bool { last.hasObservers }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { last.state.isDisposed }

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

private final class AsyncSubjectCore<Element> {
    let state = SubjectState()
    private let core = PassthroughSubject<Element, any Error>(uncaptured: ())
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var element = CapturedValue<Element>()

    var hasObservers: Bool { !state.isDisposed && core.hasSubscribers }

    func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): replace(with: element)
        case .error(let error):
            guard state.end(as: .failed(error)) else { return }
            core.send(completion: .failure(error))
        case .completed:
            // Under the same lock as new subscriptions, so that each observer receives the result exactly once.
            let (isFirst, last) = lock.withLock { (state.end(as: .completed), element.value) }
            guard isFirst else { return }
            if let last { core.send(last) }
            core.send(completion: .finished)
        }
    }

    /// Sends the observer the result, or subscribes it until there is one.
    func subscribe(_ observer: AnyObserver<Element>) -> any Disposable {
        let subscriber = ObserverSubscriber(observer)
        if StateRegistry.isRestoring {
            // The same part as when the machine was first wired; it sends no element.
            core.receive(subscriber: subscriber)
            return subscriber
        }
        let (phase, last) = lock.withLock { () -> (SubjectState.Phase, Element?) in
            // Subscribed under the lock, so that the subject cannot terminate in between. That is safe because it only
            // registers the subscriber and runs no foreign code.
            if case .open = state.phase { core.receive(subscriber: subscriber) }
            return (state.phase, element.value)
        }
        switch phase {
        case .open: return subscriber
        case .completed:
            if let last { OperatorCapture.sendInitialValues { observer.onNext(last) } }
            observer.onCompleted()
        case .failed(let error): observer.onError(error)
        case .disposed: observer.onError(RxError.disposed(object: self))
        }
        return subscriber
    }

    func dispose() {
        state.dispose()
        replace(with: nil)
    }

    private func replace(with element: Element?) {
        let former = lock.withLock { () -> Element? in
            guard state.isOpen || element == nil else { return nil }
            defer { self.element.value = element }
            return self.element.value
        }
        // Released after unlocking, because its deinitializer is foreign code.
        withExtendedLifetime(former) {}
    }

    /// The kept element, for a capture.
    var kept: CapturedValue<Element> { lock.withLock { element } }

    /// Puts back a captured state.
    func restore(_ element: CapturedValue<Element>, _ end: SubjectEnd) {
        lock.withLock { self.element = element }
        core.restore(state.restore(end))
    }
}

extension AsyncSubject: StateHolder {
    /// The kept element, and whether and how the subject has terminated.
    public struct HeldState: Codable {
        let element: CapturedValue<Element>
        let end: SubjectEnd
    }

    /// The type of the element.
    public static var heldTypes: [any Any.Type] { [Element.self] }

    /// The state that a session captures.
    public var heldState: HeldState { HeldState(element: last.kept, end: last.state.end) }

    /// Puts back a captured state.
    public func restoreHeld(_ state: HeldState) {
        last.restore(state.element, state.end)
    }
}
