public import CombineCore

/// A relay that keeps what it accepted last and starts every observer off with it. It never ends: it has no way to take an
/// error or a completion.
///
/// May be used from any thread. What is accepted from inside a delivery goes first; see ``Observable``.
public final class BehaviorRelay<Element>: ObservableType {
    @usableFromInline let core: CurrentValueSubject<Element, Never>
    @usableFromInline let observable: Observable<Element>

    /// A relay whose first element is `value`.
    @inlinable
    public init(value: Element) {
        core = CurrentValueSubject(value)
        observable = Observable(core.setFailureType(to: (any Error).self))
    }

    /// The element that was accepted last, also while it is being delivered.
    @inlinable public var value: Element { core.value }

    /// Keeps the element, and tells everybody who is subscribed.
    @inlinable
    public func accept(_ event: Element) {
        core.send(event)
    }

    /// Subscribes `observer`, which is told the current element at once and never an end.
    @inlinable
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        observable.subscribe(observer)
    }

    /// The relay's stream, without the way to send.
    @inlinable
    public func asObservable() -> Observable<Element> {
        observable
    }

    /// The relay's stream as a publisher, which never ends.
    @inlinable public var publisher: AnyPublisher<Element, Never> { core.eraseToAnyPublisher() }
}
