public import CombineCore

/// A type that can be turned into an observable.
public protocol ObservableConvertibleType<Element> {
    /// What the observable's elements are.
    associatedtype Element

    /// The observable.
    func asObservable() -> Observable<Element>
}

/// A stream that observers can subscribe to.
///
/// It sends each observer elements and then, maybe, one error or one completion; nothing afterwards, and nothing once the
/// subscription is disposed of.
public protocol ObservableType<Element>: ObservableConvertibleType {
    /// Subscribes `observer`, which is kept until the stream ends or the subscription is disposed of.
    ///
    /// - Returns: The subscription. Letting go of it does not end it.
    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element
}

extension ObservableType {
    /// This stream as an ``Observable``.
    @inlinable
    public func asObservable() -> Observable<Element> {
        Observable(serving: { observer, group in group.add(subscribe(observer)) })
    }

}

extension ObservableConvertibleType {
    /// The publisher behind the stream, which operators are built on.
    @inlinable var source: AnyPublisher<Element, any Error> { asObservable().source }

    /// Subscribes on behalf of an operator: what the closure is told ends with the group.
    @inlinable
    func listen(_ group: CompositeDisposable, _ handler: @escaping (Event<Element>) -> Void) {
        let link = ObserverLink(AnyObserver(eventHandler: handler))
        group.add(link)
        source.receive(subscriber: link)
    }
}

extension ObservableType {
    /// An operator that tells its observer, for each event of this stream, what the closure decides. The closure is made
    /// anew for each observer, so that it can keep state.
    @inlinable
    func lift<Result>(_ makeHandler: @escaping (AnyObserver<Result>) -> (Event<Element>) -> Void) -> Observable<Result>
    {
        let stream = asObservable()
        return Observable(serving: { observer, group in stream.listen(group, makeHandler(observer)) })
    }
}

extension CompositeDisposable {
    /// Adds a disposable that stays until the end.
    @inlinable
    func add(_ disposable: any Disposable) {
        _ = insert(disposable)
    }
}
