public import CombineCore

/// A stream of elements in the vocabulary of Rx: a Combine publisher that can fail with anything and knows no
/// back-pressure.
///
/// Observers get events in the order in which they subscribed. An element that is sent from inside a delivery goes first:
/// it reaches every observer before the outer delivery goes on, so the observers behind may see it before the one that
/// caused it. `observe(on:)` puts an end to that where it matters.
public class Observable<Element>: ObservableType {
    @usableFromInline let source: AnyPublisher<Element, any Error>

    @usableFromInline
    init(_ source: AnyPublisher<Element, any Error>) {
        self.source = source
    }

    /// Takes over a publisher.
    @inlinable
    convenience init<P: Publisher>(_ publisher: P) where P.Output == Element, P.Failure == any Error {
        self.init(publisher.eraseToAnyPublisher())
    }

    /// A stream that serves each observer by calling the closure; see ``Served``.
    @inlinable
    convenience init(serving serve: @escaping (AnyObserver<Element>, CompositeDisposable) -> Void) {
        self.init(Served(serve: serve).eraseToAnyPublisher())
    }

    /// Subscribes `observer`.
    @inlinable
    public final func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let link = ObserverLink(observer)
        CurrentThreadScheduler.trampoline { source.receive(subscriber: link) }
        return link
    }

    /// The stream itself.
    @inlinable
    public final func asObservable() -> Observable<Element> {
        self
    }
}
