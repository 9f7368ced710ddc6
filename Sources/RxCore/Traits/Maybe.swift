/// The promise of at most one element.
public enum MaybeTrait {}

/// A stream with one element or none, or a failure.
public typealias Maybe<Element> = PrimitiveSequence<MaybeTrait, Element>

/// What a ``Maybe`` tells its observer, once.
@frozen
public enum MaybeEvent<Element> {
    /// The element.
    case success(Element)
    /// The failure.
    case error(any Error)
    /// There is no element.
    case completed
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// What is told the one event.
    public typealias MaybeObserver = (MaybeEvent<Element>) -> Void

    /// A maybe that runs the closure for each observer.
    public static func create(subscribe: @escaping (@escaping MaybeObserver) -> any Disposable) -> Maybe<Element> {
        Maybe(
            raw: .create { observer in
                subscribe { event in
                    switch event {
                    case .success(let element):
                        observer.onNext(element)
                        observer.onCompleted()
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
            })
    }

    /// The element.
    public static func just(_ element: Element) -> Maybe<Element> {
        Maybe(raw: .just(element))
    }

    /// The element, on the scheduler.
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Maybe<Element> {
        Maybe(raw: .just(element, scheduler: scheduler))
    }

    /// The failure.
    public static func error(_ error: any Error) -> Maybe<Element> {
        Maybe(raw: .error(error))
    }

    /// No element.
    public static func empty() -> Maybe<Element> {
        Maybe(raw: .empty())
    }

    /// Nothing, ever.
    public static func never() -> Maybe<Element> {
        Maybe(raw: .never())
    }

    /// Runs the closure for the element, the error, or the end without either.
    public func subscribe(_ observer: @escaping (MaybeEvent<Element>) -> Void) -> any Disposable {
        // The element is the end: what the stream behind sends afterwards is nobody's.
        var isOver = false
        return primitiveSequence.source.subscribe { event in
            guard !isOver else { return }
            isOver = true
            switch event {
            case .next(let element): observer(.success(element))
            case .error(let error): observer(.error(error))
            case .completed: observer(.completed)
            }
        }
    }

    /// Runs the closures for the element, the error, or the end without either, and when the subscription is over for
    /// whatever reason. An error without an `onError` goes to ``Hooks/defaultErrorHandler``.
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        let end = Disposables.create { onDisposed?() }
        let callStack = Hooks.callStack(unless: onError)
        let subscription = subscribe { event in
            switch event {
            case .success(let element): onSuccess?(element)
            case .error(let error): Hooks.report(error, to: onError, from: callStack)
            case .completed: onCompleted?()
            }
            end.dispose()
        }
        return WatchedDisposable(subscription: subscription, end: end)
    }

    /// Like ``subscribe(onSuccess:onError:onCompleted:onDisposed:)`` with an object that the closures get and that is not
    /// retained; once it is gone they are not called. An error without an `onError` is ignored, as RxSwift does.
    public func subscribe<Object: AnyObject>(
        with object: Object, onSuccess: ((Object, Element) -> Void)? = nil,
        onError: ((Object, any Error) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onSuccess: { [weak object] element in object.map { onSuccess?($0, element) } },
            onError: { [weak object] error in object.map { onError?($0, error) } },
            onCompleted: { [weak object] in object.map { onCompleted?($0) } },
            onDisposed: { [weak object] in object.map { onDisposed?($0) } })
    }

    /// The maybe itself; the closures run on the way. An element is followed by a completion.
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil, afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Maybe<Element> {
        Maybe(
            raw: primitiveSequence.source.do(
                onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError,
                onCompleted: onCompleted, afterCompleted: afterCompleted, onSubscribe: onSubscribe,
                onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// What the closure makes of the element; a failure if it throws.
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.map(transform))
    }

    /// What the closure makes of the element, or nothing.
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.compactMap(transform))
    }

    /// The element if the closure says yes.
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.filter(predicate))
    }

    /// The element, if any, of the maybe that the closure makes.
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.flatMap(selector))
    }

    /// The element; the given one if there is none.
    public func ifEmpty(default element: Element) -> Single<Element> {
        Single(raw: primitiveSequence.source.ifEmpty(default: element))
    }

    /// The element; that of the other maybe, if it has one, if there is none.
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.ifEmpty(switchTo: other.source))
    }

    /// The element; that of the single if there is none.
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        Single(raw: primitiveSequence.source.ifEmpty(switchTo: other.source))
    }

    /// The element of the single that the closure makes, or nothing.
    public func flatMapSingle<Result>(_ selector: @escaping (Element) throws -> Single<Result>) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.flatMap(selector))
    }

    /// The end of the completable that the closure makes, or of the maybe if it has no element.
    public func flatMapCompletable(_ selector: @escaping (Element) throws -> Completable) -> Completable {
        Completable(raw: primitiveSequence.source.flatMap(selector))
    }

    /// The element as a single; ``RxError/noElements`` if there is none.
    public func asSingle() -> Single<Element> {
        primitiveSequence.source.asSingle()
    }

    /// The end of the maybe, without its element.
    public func asCompletable() -> Completable {
        primitiveSequence.source.ignoreElements().asCompletable()
    }

    /// The element; if the maybe fails, the given one.
    public func catchAndReturn(_ element: Element) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.catchAndReturn(element))
    }
}

extension ObservableType {
    /// The only element, once the stream has completed, if there is one; a failure as soon as there is a second.
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: onlyElement(orFail: nil))
    }
}
