extension InfallibleType {
    /// Subscribes the observers to all events, including the terminal one.
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        asObservable().subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Subscribes observers of optional elements, like the overload for elements that are not optional.
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        asObservable().map { $0 as Element? }.subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Sends the elements to the relays.
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Sends the elements to relays of optional elements, like the overload for elements that are not optional.
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Sends the elements to the relays.
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Sends the elements to relays of optional elements, like the overload for elements that are not optional.
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Sends the elements to the relays.
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Sends the elements to relays of optional elements, like the overload for elements that are not optional.
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Passes the observable to `binder` and returns the result.
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Passes the observable and a second argument to the curried function `binder` and returns the result.
    public func bind<First, Result>(to binder: (Self) -> (First) -> Result, curriedArgument: First) -> Result {
        binder(self)(curriedArgument)
    }

    /// Calls the closure for each element.
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onError: { _ in })
    }

    /// Calls the closure for each element with an object that is not retained. After the object is deallocated, the
    /// closure is not called.
    public func bind<Object: AnyObject>(with object: Object, onNext: @escaping (Object, Element) -> Void)
        -> any Disposable
    {
        asObservable().bind(with: object, onNext: onNext)
    }
}
