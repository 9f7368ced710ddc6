extension ObservableType {
    /// Tells the observers everything that this stream says, its end included.
    @inlinable
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Like ``bind(to:)-(Observer...)`` for observers of optional elements.
    @inlinable
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        map { $0 as Element? }.subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Sends the elements to the relays; an error or a completion is dropped, since relays have neither.
    @inlinable
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Like ``bind(to:)-(PublishRelay<Element>...)`` for relays of optional elements.
    @inlinable
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Sends the elements to the relays; an error or a completion is dropped, since relays have neither.
    @inlinable
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Like ``bind(to:)-(BehaviorRelay<Element>...)`` for relays of optional elements.
    @inlinable
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Sends the elements to the relays; an error or a completion is dropped, since relays have neither.
    @inlinable
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Like ``bind(to:)-(ReplayRelay<Element>...)`` for relays of optional elements.
    @inlinable
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, onError: { _ in })
    }

    /// Leaves it to the closure what to do with the stream.
    @inlinable
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Leaves it to the closure what to do with the stream, which gets a second argument as well.
    @inlinable
    public func bind<First, Result>(to binder: (Self) -> (First) -> Result, curriedArgument: First) -> Result {
        binder(self)(curriedArgument)
    }

    /// Runs the closure for every element. An error is ignored.
    @inlinable
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext, onError: { _ in })
    }

    /// Runs the closure for every element with an object that is not retained; once it is gone the closure is not called.
    @inlinable
    public func bind<Object: AnyObject>(with object: Object, onNext: @escaping (Object, Element) -> Void)
        -> any Disposable
    {
        subscribe(with: object, onNext: onNext)
    }
}
