/// The promise of one element.
public enum SingleTrait {}

/// A stream with exactly one element, or a failure.
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// What a ``Single`` tells its observer, once.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// What is told the one event.
    public typealias SingleObserver = (SingleEvent<Element>) -> Void

    /// A single that runs the closure for each observer.
    public static func create(subscribe: @escaping (@escaping SingleObserver) -> any Disposable) -> Single<Element> {
        Single(
            raw: .create { observer in
                subscribe { result in
                    switch result {
                    case .success(let element):
                        observer.onNext(element)
                        observer.onCompleted()
                    case .failure(let error): observer.onError(error)
                    }
                }
            })
    }

    /// The element.
    public static func just(_ element: Element) -> Single<Element> {
        Single(raw: .just(element))
    }

    /// The element, on the scheduler.
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        Single(raw: .just(element, scheduler: scheduler))
    }

    /// The failure.
    public static func error(_ error: any Error) -> Single<Element> {
        Single(raw: .error(error))
    }

    /// Nothing, ever.
    public static func never() -> Single<Element> {
        Single(raw: .never())
    }

    /// Runs the closure for the element or the error.
    public func subscribe(_ observer: @escaping (SingleEvent<Element>) -> Void) -> any Disposable {
        // The element is the end: what the stream behind sends afterwards is nobody's.
        var isOver = false
        return primitiveSequence.source.subscribe { event in
            guard !isOver else { return }
            isOver = true
            switch event {
            case .next(let element): observer(.success(element))
            case .error(let error): observer(.failure(error))
            case .completed: break
            }
        }
    }

    /// Runs the closures for the element or the error, and when the subscription is over for whatever reason. An error
    /// without an `onFailure` goes to ``Hooks/defaultErrorHandler``.
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil, onFailure: ((any Error) -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        let end = Disposables.create { onDisposed?() }
        let callStack = Hooks.callStack(unless: onFailure)
        let subscription = subscribe { event in
            switch event {
            case .success(let element): onSuccess?(element)
            case .failure(let error): Hooks.report(error, to: onFailure, from: callStack)
            }
            end.dispose()
        }
        return WatchedDisposable(subscription: subscription, end: end)
    }

    /// Like ``subscribe(onSuccess:onFailure:onDisposed:)`` with an object that the closures get and that is not retained;
    /// once it is gone they are not called. An error without an `onFailure` is ignored, as RxSwift does.
    public func subscribe<Object: AnyObject>(
        with object: Object, onSuccess: ((Object, Element) -> Void)? = nil,
        onFailure: ((Object, any Error) -> Void)? = nil, onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onSuccess: { [weak object] element in object.map { onSuccess?($0, element) } },
            onFailure: { [weak object] error in object.map { onFailure?($0, error) } },
            onDisposed: { [weak object] in object.map { onDisposed?($0) } })
    }

    /// The single itself; the closures run on the way.
    public func `do`(
        onSuccess: ((Element) throws -> Void)? = nil, afterSuccess: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil, afterError: ((any Error) throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Single<Element> {
        Single(
            raw: primitiveSequence.source.do(
                onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// What the closure makes of the element; a failure if it throws.
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Single<Result> {
        Single(raw: primitiveSequence.source.map(transform))
    }

    /// What the closure makes of the element, or nothing.
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.compactMap(transform))
    }

    /// The element if the closure says yes, or nothing.
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.filter(predicate))
    }

    /// The element of the single that the closure makes.
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Single<Result>) -> Single<Result> {
        Single(raw: primitiveSequence.source.flatMap(selector))
    }

    /// The element, if any, of the maybe that the closure makes.
    public func flatMapMaybe<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.flatMap(selector))
    }

    /// The end of the completable that the closure makes.
    public func flatMapCompletable(_ selector: @escaping (Element) throws -> Completable) -> Completable {
        Completable(raw: primitiveSequence.source.flatMap(selector))
    }

    /// The element; if the single fails, the given one.
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        Single(raw: primitiveSequence.source.catchAndReturn(element))
    }

    /// The single as one that may have no element.
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source)
    }

    /// The end of the single, without its element.
    public func asCompletable() -> Completable {
        primitiveSequence.source.ignoreElements().asCompletable()
    }
}

extension ObservableType {
    /// The only element, once the stream has completed; a failure if there is none, or as soon as there is a second.
    public func asSingle() -> Single<Element> {
        Single(raw: onlyElement(orFail: RxError.noElements))
    }

    /// The only element, once the stream has completed, since only then is it known to be the only one.
    func onlyElement(orFail emptyError: RxError?) -> Observable<Element> {
        lift { observer in
            var only: Element?
            return { event in
                switch event {
                case .next where only != nil: observer.onError(RxError.moreThanOneElement)
                case .next(let element): only = element
                case .error(let error): observer.onError(error)
                case .completed:
                    if let only {
                        observer.onNext(only)
                    } else if let emptyError {
                        return observer.onError(emptyError)
                    }
                    observer.onCompleted()
                }
            }
        }
    }
}
