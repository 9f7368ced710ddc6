public import CombineCore

/// A relay that forwards elements and keeps none. It never terminates.
///
/// May be used from any thread. An element that is accepted during a delivery is delivered first; see ``Observable``.
public final class PublishRelay<Element>: ObservableType {
    // Never ends, and so has no state.
    @usableFromInline let core = PassthroughSubject<Element, Never>(uncaptured: ())
    @usableFromInline let observable: Observable<Element>

    /// Creates a relay without observers.
    @inlinable
    public init() {
        observable = Observable(core.setFailureType(to: (any Error).self))
    }

    /// Sends the event to all observers.
    @inlinable
    public func accept(_ event: Element) {
        core.send(event)
    }

    /// Subscribes `observer`, which never receives a terminal event.
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
