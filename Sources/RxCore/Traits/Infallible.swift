/// A stream that may complete and never fails.
///
/// It shares nothing and runs where its source runs; only the promise differs from ``Observable``. ``asObservable()`` gives
/// the stream with all operators.
public struct Infallible<Element>: ObservableConvertibleType {
    private let stream: Observable<Element>

    /// Takes the promise on trust.
    init(raw stream: Observable<Element>) {
        self.stream = stream
    }

    /// The stream without its promise.
    public func asObservable() -> Observable<Element> {
        stream
    }
}

/// What an ``Infallible`` tells its observer.
@frozen
public enum InfallibleEvent<Element> {
    /// The next element.
    case next(Element)
    /// It is done.
    case completed
}

extension Infallible {
    /// What the closure of ``create(subscribe:)`` tells its events to.
    public typealias InfallibleObserver = (InfallibleEvent<Element>) -> Void

    /// A stream that runs the closure for each observer.
    public static func create(subscribe: @escaping (@escaping InfallibleObserver) -> any Disposable) -> Infallible {
        Infallible(
            raw: .create { observer in
                subscribe { event in
                    switch event {
                    case .next(let element): observer.onNext(element)
                    case .completed: observer.onCompleted()
                    }
                }
            })
    }

    /// The element and the end.
    public static func just(_ element: Element) -> Infallible {
        Infallible(raw: .just(element))
    }

    /// The elements and the end.
    public static func of(_ elements: Element...) -> Infallible {
        Infallible(raw: .from(elements))
    }

    /// The end.
    public static func empty() -> Infallible {
        Infallible(raw: .empty())
    }

    /// Nothing, ever.
    public static func never() -> Infallible {
        Infallible(raw: .never())
    }

    /// Runs the closure for every event.
    public func subscribe(_ on: @escaping (InfallibleEvent<Element>) -> Void) -> any Disposable {
        stream.subscribe { event in
            switch event {
            case .next(let element): on(.next(element))
            case .completed: on(.completed)
            case .error: break
            }
        }
    }

    /// Runs the closures for elements, for the end, and when the subscription is over for whatever reason.
    public func subscribe(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        stream.subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Like ``subscribe(onNext:onCompleted:onDisposed:)`` with an object that the closures get and that is not retained;
    /// once it is gone they are not called.
    public func subscribe<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        stream.subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Sends the elements to the relays.
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        stream.subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Sends the elements to the relays.
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        stream.subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Tells the observers everything that this stream says, its end included.
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        stream.subscribe { event in for observer in observers { observer.on(event) } }
    }
}

extension Infallible {
    /// What the closure makes of each element.
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> Infallible<Result> {
        Infallible<Result>(raw: stream.map(transform))
    }

    /// What the closure makes of each element, unless it is nil.
    public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Infallible<Result> {
        Infallible<Result>(raw: stream.compactMap(transform))
    }

    /// The elements that the closure says yes to.
    public func filter(_ predicate: @escaping (Element) -> Bool) -> Infallible {
        Infallible(raw: stream.filter(predicate))
    }

    /// The elements of all the streams that the closure makes.
    public func flatMap<Result>(_ selector: @escaping (Element) -> Infallible<Result>) -> Infallible<Result> {
        Infallible<Result>(raw: stream.flatMap { selector($0).asObservable() })
    }

    /// The elements of the latest stream that the closure has made.
    public func flatMapLatest<Result>(_ selector: @escaping (Element) -> Infallible<Result>) -> Infallible<Result> {
        Infallible<Result>(raw: stream.flatMapLatest { selector($0).asObservable() })
    }

    /// The elements, those before them first.
    public func startWith(_ elements: Element...) -> Infallible {
        Infallible(raw: .concat([.from(elements), stream]))
    }

    /// The first elements.
    public func take(_ count: Int) -> Infallible {
        Infallible(raw: stream.take(count))
    }

    /// All elements but the first.
    public func skip(_ count: Int) -> Infallible {
        Infallible(raw: stream.skip(count))
    }

    /// The same events, told on the scheduler.
    public func observe(on scheduler: any ImmediateSchedulerType) -> Infallible {
        Infallible(raw: stream.observe(on: scheduler))
    }

    /// The stream, shared by all its observers; see ``ObservableType/share(replay:scope:)``.
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Infallible {
        Infallible(raw: stream.share(replay: replay, scope: scope))
    }
}

extension Infallible where Element: Equatable {
    /// The elements that differ from the one before.
    public func distinctUntilChanged() -> Infallible {
        Infallible(raw: stream.distinctUntilChanged())
    }
}

extension ObservableConvertibleType {
    /// The elements; after a failure the given one and the end.
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(raw: asObservable().catchAndReturn(element))
    }

    /// The elements; after a failure those of the other stream.
    public func asInfallible(onErrorFallbackTo infallible: Infallible<Element>) -> Infallible<Element> {
        Infallible(raw: asObservable().catch { _ in infallible.asObservable() })
    }

    /// The elements; after a failure those of the stream that the closure makes of the error.
    public func asInfallible(onErrorRecover: @escaping (any Error) -> Infallible<Element>) -> Infallible<Element> {
        Infallible(raw: asObservable().catch { onErrorRecover($0).asObservable() })
    }
}

extension BehaviorRelay {
    /// The relay's stream, which cannot fail.
    public func asInfallible() -> Infallible<Element> {
        Infallible(raw: asObservable())
    }
}

extension PublishRelay {
    /// The relay's stream, which cannot fail.
    public func asInfallible() -> Infallible<Element> {
        Infallible(raw: asObservable())
    }
}

extension ReplayRelay {
    /// The relay's stream, which cannot fail.
    public func asInfallible() -> Infallible<Element> {
        Infallible(raw: asObservable())
    }
}
