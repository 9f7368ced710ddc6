extension InfallibleType {
    /// Tells the observers everything that this stream says, its end included.
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        asObservable().subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Like ``bind(to:)-(Observer...)`` for observers of optional elements.
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        asObservable().map { $0 as Element? }.subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Sends the elements to the relays.
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Like ``bind(to:)-(PublishRelay<Element>...)`` for relays of optional elements.
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Sends the elements to the relays.
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Like ``bind(to:)-(BehaviorRelay<Element>...)`` for relays of optional elements.
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Sends the elements to the relays.
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Like ``bind(to:)-(ReplayRelay<Element>...)`` for relays of optional elements.
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Leaves it to the closure what to do with the stream.
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Leaves it to the closure what to do with the stream, which gets a second argument as well.
    public func bind<First, Result>(to binder: (Self) -> (First) -> Result, curriedArgument: First) -> Result {
        binder(self)(curriedArgument)
    }

    /// Runs the closure for every element.
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onError: { _ in })
    }

    /// Runs the closure for every element with an object that is not retained; once it is gone the closure is not called.
    public func bind<Object: AnyObject>(with object: Object, onNext: @escaping (Object, Element) -> Void)
        -> any Disposable
    {
        asObservable().bind(with: object, onNext: onNext)
    }
}
