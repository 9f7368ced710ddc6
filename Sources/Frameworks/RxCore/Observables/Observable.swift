public import CombineCore
public import StateCapture

/// A stream of elements with Rx's interface: a Combine publisher that can fail with any error and does not apply
/// back-pressure.
///
/// Observers receive events in the order in which they subscribed. Delivery is depth-first: an element that is sent
/// during a delivery reaches every observer before the outer delivery continues, so later observers may receive it
/// before the element that caused it. Use `observe(on:)` to avoid that.
public class Observable<Element>: ObservableType {
    @usableFromInline let source: AnyPublisher<Element, any Error>

    @usableFromInline
    init(_ source: AnyPublisher<Element, any Error>) {
        self.source = source
    }

    @inlinable
    convenience init<P: Publisher>(_ publisher: P) where P.Output == Element, P.Failure == any Error {
        self.init(publisher.eraseToAnyPublisher())
    }

    /// Creates an observable that calls the closure for each observer; see ``AnonymousPublisher``.
    @inlinable
    convenience init(subscribe: @escaping (AnyObserver<Element>, CompositeDisposable) -> Void) {
        self.init(TrampolinedPublisher(AnonymousPublisher(subscribe: subscribe)).eraseToAnyPublisher())
    }

    /// Subscribes `observer` and returns the subscription.
    @inlinable
    public final func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        if StateRegistry.isRestoring { return subscribeSilently(AnyObserver(observer)) }
        let subscriber = ObserverSubscriber(observer)
        source.receive(subscriber: subscriber)
        return subscriber
    }

    /// Subscribes while a machine is restored: events that are sent during the subscription were received when the
    /// machine was first wired.
    @usableFromInline
    final func subscribeSilently(_ observer: AnyObserver<Element>) -> any Disposable {
        let subscriber = ObserverSubscriber(AnyObserver<Element> { _ in })
        source.receive(subscriber: subscriber)
        subscriber.replaceObserver(observer)
        return subscriber
    }

    /// Returns the observable itself.
    @inlinable
    public final func asObservable() -> Observable<Element> {
        self
    }
}
