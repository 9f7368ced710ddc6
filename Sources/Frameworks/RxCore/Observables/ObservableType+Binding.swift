extension ObservableType {
    /// Subscribes the observers to all events, including the terminal one.
    @inlinable
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Subscribes observers of optional elements, like the overload for elements that are not optional.
    @inlinable
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        map { $0 as Element? }.subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Sends the elements to the relays. Errors and completions are dropped because relays never terminate.
    @inlinable
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Sends the elements to relays of optional elements, like the overload for elements that are not optional.
    @inlinable
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Sends the elements to the relays. Errors and completions are dropped because relays never terminate.
    @inlinable
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Sends the elements to relays of optional elements, like the overload for elements that are not optional.
    @inlinable
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Sends the elements to the relays. Errors and completions are dropped because relays never terminate.
    @inlinable
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Sends the elements to relays of optional elements, like the overload for elements that are not optional.
    @inlinable
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Passes the observable to `binder` and returns the result.
    @inlinable
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Passes the observable and a second argument to the curried function `binder` and returns the result.
    @inlinable
    public func bind<First, Result>(to binder: (Self) -> (First) -> Result, curriedArgument: First) -> Result {
        binder(self)(curriedArgument)
    }

    /// Calls the closure for each element. An error is ignored.
    @inlinable
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext, onError: { _ in })
    }

    /// Calls the closure for each element with an object that is not retained. After the object is deallocated, the
    /// closure is not called.
    @inlinable
    public func bind<Object: AnyObject>(with object: Object, onNext: @escaping (Object, Element) -> Void)
        -> any Disposable
    {
        subscribe(with: object, onNext: onNext)
    }
}
