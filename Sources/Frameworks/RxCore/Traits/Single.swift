/// The trait of a sequence with exactly one element.
public enum SingleTrait {}

/// A sequence with exactly one element, which can fail.
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// The event of a ``Single``. There is exactly one.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// A closure that receives the one event.
    public typealias SingleObserver = (SingleEvent<Element>) -> Void

    /// Creates a single that calls the closure for each observer.
    ///
    /// In a session that is restored, the closure does not run again, because its work would be done twice. If it had not
    /// finished, the single then completes without an element, and the work is reported as interrupted.
    public static func create(subscribe: @escaping (@escaping SingleObserver) -> any Disposable) -> Single<Element> {
        Single(
            raw: .create(isRepeated: false) { observer in
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

    /// Returns a single that emits one element on the scheduler.
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        Single(raw: .just(element, scheduler: scheduler))
    }

    /// The single fails.
    public static func error(_ error: any Error) -> Single<Element> {
        Single(raw: .error(error))
    }

    /// Returns a single that never emits an event.
    public static func never() -> Single<Element> {
        Single(raw: .never())
    }

    /// Calls the closure with the element or the error.
    public func subscribe(_ observer: @escaping (SingleEvent<Element>) -> Void) -> any Disposable {
        // The element terminates the trait. The underlying observable may still send a completion, or more elements,
        // which are ignored.
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

    /// Subscribes closures to the element, the error, and the end of the subscription for any reason. An error without
    /// an `onFailure` is passed to ``Hooks/defaultErrorHandler``.
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
        return NotifyingDisposable(subscription: subscription, end: end)
    }

    /// Subscribes closures that receive an unretained object; see ``subscribe(onSuccess:onFailure:onDisposed:)``. After
    /// the object is deallocated, they are not called. As in RxSwift, an error without an `onFailure` is ignored.
    public func subscribe<Object: AnyObject>(
        with object: Object, onSuccess: ((Object, Element) -> Void)? = nil,
        onFailure: ((Object, any Error) -> Void)? = nil, onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onSuccess: { [weak object] element in object.map { onSuccess?($0, element) } },
            onFailure: { [weak object] error in object.map { onFailure?($0, error) } },
            onDisposed: { [weak object] in object.map { onDisposed?($0) } })
    }

    /// Returns a single that runs the closures as side effects.
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

    /// Returns a single that transforms the element. It fails if the closure throws.
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Single<Result> {
        Single(raw: primitiveSequence.source.map(transform))
    }

    /// Returns a maybe that transforms the element, without an element if the result is nil.
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.compactMap(transform))
    }

    /// Returns a maybe with the element if it satisfies the predicate.
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.filter(predicate))
    }

    /// Returns a single that continues with the single returned by the closure for the element.
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Single<Result>) -> Single<Result> {
        Single(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Returns a maybe that continues with the maybe returned by the closure for the element.
    public func flatMapMaybe<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Returns a completable that continues with the one returned by the closure for the element.
    public func flatMapCompletable(_ selector: @escaping (Element) throws -> Completable) -> Completable {
        Completable(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Returns a single with the given element if this one fails.
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        Single(raw: primitiveSequence.source.catchAndReturn(element))
    }

    /// Returns the single as a maybe.
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source)
    }

    /// Returns a completable that ignores the element of the single.
    public func asCompletable() -> Completable {
        primitiveSequence.source.ignoreElements().asCompletable()
    }
}

extension ObservableType {
    /// Returns the observable as a single. It emits the only element when the observable completes, and fails if there
    /// is none or at a second element.
    public func asSingle() -> Single<Element> {
        Single(raw: onlyElement(orFail: RxError.noElements))
    }

    /// Returns an observable that emits the only element on completion, because only then is it known to be the only
    /// one.
    func onlyElement(orFail emptyError: RxError?) -> Observable<Element> {
        liftStateful { observer, capture in
            var only = CapturedValue<Element>()
            capture?.keep("asSingle", holding: Element.self, { only }, { only = $0 })
            return { event in
                switch event {
                case .next where only.value != nil: observer.onError(RxError.moreThanOneElement)
                case .next(let element): only.value = element
                case .error(let error): observer.onError(error)
                case .completed:
                    if let element = only.value {
                        observer.onNext(element)
                    } else if let emptyError {
                        return observer.onError(emptyError)
                    }
                    observer.onCompleted()
                }
            }
        }
    }
}
