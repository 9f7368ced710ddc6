public import CombineCore
public import StateCapture

/// A relay that keeps its latest element and sends it to each new observer. It never terminates.
///
/// May be used from any thread. An element that is accepted during a delivery is delivered first; see ``Observable``.
public final class BehaviorRelay<Element>: ObservableType {
    @usableFromInline let core: CurrentValueSubject<Element, Never>
    @usableFromInline let observable: Observable<Element>

    /// Creates a relay with the given initial element.
    @inlinable
    public init(value: Element) {
        // The relay is what is captured.
        core = OperatorCapture.withoutCapture { CurrentValueSubject<Element, Never>(value) }
        observable = Observable(core.setFailureType(to: (any Error).self))
        if StateRegistry.current != nil { register() }
    }

    /// Registers the relay with the registry of the machine that is being wired.
    @usableFromInline
    func register() {
        StateRegistry.current?.register(holder: self, named: "behaviorRelay")
    }

    /// The latest element, also during its delivery.
    @inlinable public var value: Element { core.value }

    /// Keeps the element and sends it to all observers.
    @inlinable
    public func accept(_ event: Element) {
        core.send(event)
    }

    /// Subscribes `observer`, which receives the current element immediately and never a terminal event.
    @inlinable
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        observable.subscribe(observer)
    }

    /// Returns an observable of the relay's elements that cannot be used to send.
    @inlinable
    public func asObservable() -> Observable<Element> {
        observable
    }

    /// A publisher of the relay's elements. It never completes.
    @inlinable public var publisher: AnyPublisher<Element, Never> { core.eraseToAnyPublisher() }
}

extension BehaviorRelay: StateHolder {
    /// The element, which is the state that a session captures.
    public var heldState: Element { core.value }

    /// Puts back a captured element without sending it.
    public func restoreHeld(_ state: Element) {
        core.restoreValue(state)
    }
}
