public import CombineCore

/// A type that can be converted to an observable.
public protocol ObservableConvertibleType<Element> {
    /// The type of the observable's elements.
    associatedtype Element

    /// Returns the observable.
    func asObservable() -> Observable<Element>
}

/// A stream that observers can subscribe to.
///
/// It sends each observer any number of elements and then at most one error or completion. No event follows a terminal
/// event or the disposal of the subscription.
public protocol ObservableType<Element>: ObservableConvertibleType {
    /// Subscribes `observer`, which is retained until the observable terminates or the subscription is disposed of.
    ///
    /// - Returns: The subscription. Releasing it does not end it.
    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element
}

extension ObservableType {
    /// Returns an ``Observable`` that forwards the events of this one.
    @inlinable
    public func asObservable() -> Observable<Element> {
        Observable(subscribe: { observer, group in group.add(subscribe(observer)) })
    }
}

extension ObservableConvertibleType {
    /// The publisher behind the observable, on which operators are built.
    @inlinable var source: AnyPublisher<Element, any Error> { asObservable().source }

    /// Subscribes on behalf of an operator. Disposing of `group` ends the subscription.
    @inlinable
    func listen(_ group: CompositeDisposable, _ handler: @escaping (Event<Element>) -> Void) {
        let subscriber = ObserverSubscriber(AnyObserver(eventHandler: handler))
        // Added before the subscription, because the source may terminate or be disposed of during it.
        group.add(subscriber)
        source.receive(subscriber: subscriber)
    }

    /// Returns an observable whose observers are users of a resource as long as they are subscribed.
    func counted(by users: RefCountDisposable) -> Observable<Element> {
        Observable(subscribe: { observer, group in
            group.add(users.retain())
            listen(group, observer.on)
        })
    }
}

extension ObservableType {
    /// Returns an observable that passes each event of this one to a handler.
    ///
    /// The handler is created for each observer, so that it can hold state.
    @inlinable
    func lift<Result>(_ makeHandler: @escaping (AnyObserver<Result>) -> (Event<Element>) -> Void) -> Observable<Result>
    {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in stream.listen(group, makeHandler(observer)) })
    }
}

extension CompositeDisposable {
    /// Adds a disposable that stays in the group until the end.
    @inlinable
    func add(_ disposable: any Disposable) {
        _ = insert(disposable)
    }
}
