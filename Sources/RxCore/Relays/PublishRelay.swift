public import CombineCore

/// A relay that hands on what it accepts and keeps nothing. It never ends: it has no way to take an error or a completion.
///
/// May be used from any thread. What is accepted from inside a delivery goes first; see ``Observable``.
public final class PublishRelay<Element>: ObservableType {
    @usableFromInline let core = PassthroughSubject<Element, Never>()
    @usableFromInline let observable: Observable<Element>

    /// A relay without observers.
    @inlinable
    public init() {
        observable = Observable(core.setFailureType(to: (any Error).self))
    }

    /// Tells everybody who is subscribed.
    @inlinable
    public func accept(_ event: Element) {
        core.send(event)
    }

    /// Subscribes `observer`, which is never told an end.
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
