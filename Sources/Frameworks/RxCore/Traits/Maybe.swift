/// The trait of a sequence with at most one element.
public enum MaybeTrait {}

/// A sequence with at most one element, which can fail.
public typealias Maybe<Element> = PrimitiveSequence<MaybeTrait, Element>

/// The event of a ``Maybe``. There is exactly one.
@frozen
public enum MaybeEvent<Element> {
    /// The element.
    case success(Element)
    /// The maybe fails.
    case error(any Error)
    /// The maybe completes without an element.
    case completed
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// A closure that receives the one event.
    public typealias MaybeObserver = (MaybeEvent<Element>) -> Void

    /// Creates a maybe that calls the closure for each observer.
    ///
    /// In a session that is restored, the closure does not run again, because its work would be done twice. If it had not
    /// finished, the maybe then completes without an element, and the work is reported as interrupted.
    public static func create(subscribe: @escaping (@escaping MaybeObserver) -> any Disposable) -> Maybe<Element> {
        Maybe(
            raw: .create(isRepeated: false) { observer in
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

    /// Returns a maybe that emits one element on the scheduler.
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Maybe<Element> {
        Maybe(raw: .just(element, scheduler: scheduler))
    }

    /// The maybe fails.
    public static func error(_ error: any Error) -> Maybe<Element> {
        Maybe(raw: .error(error))
    }

    /// Returns a maybe that completes without an element.
    public static func empty() -> Maybe<Element> {
        Maybe(raw: .empty())
    }

    /// Returns a maybe that never emits an event.
    public static func never() -> Maybe<Element> {
        Maybe(raw: .never())
    }

    /// Calls the closure with the element, the error or the completion without an element.
    public func subscribe(_ observer: @escaping (MaybeEvent<Element>) -> Void) -> any Disposable {
        // The element terminates the trait. The underlying observable may still send a completion, or more elements,
        // which are ignored.
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

    /// Subscribes closures to the element, the error, the completion without an element, and the end of the
    /// subscription for any reason. An error without an `onError` is passed to ``Hooks/defaultErrorHandler``.
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
        return NotifyingDisposable(subscription: subscription, end: end)
    }

    /// Subscribes closures that receive an unretained object; see
    /// ``subscribe(onSuccess:onError:onCompleted:onDisposed:)``. After the object is deallocated, they are not called.
    /// As in RxSwift, an error without an `onError` is ignored.
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

    /// Returns a maybe that runs the closures as side effects. An element is followed by a completion.
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

    /// Returns a maybe that transforms the element. It fails if the closure throws.
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.map(transform))
    }

    /// Returns a maybe that transforms the element, without an element if the result is nil.
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.compactMap(transform))
    }

    /// Returns a maybe with the element if it satisfies the predicate.
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.filter(predicate))
    }

    /// Returns a maybe that continues with the maybe returned by the closure for the element.
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Returns a single with the element, or the given one if none exists.
    public func ifEmpty(default element: Element) -> Single<Element> {
        Single(raw: primitiveSequence.source.ifEmpty(default: element))
    }

    /// Returns a maybe that continues with the other one if there is no element.
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.ifEmpty(switchTo: other.source))
    }

    /// Returns a single that continues with the other one if there is no element.
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        Single(raw: primitiveSequence.source.ifEmpty(switchTo: other.source))
    }

    /// Returns a maybe that continues with the single returned by the closure for the element.
    public func flatMapSingle<Result>(_ selector: @escaping (Element) throws -> Single<Result>) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Returns a completable that continues with the one returned by the closure for the element. It completes if there
    /// is no element.
    public func flatMapCompletable(_ selector: @escaping (Element) throws -> Completable) -> Completable {
        Completable(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Returns the maybe as a single, which fails with ``RxError/noElements`` if there is no element.
    public func asSingle() -> Single<Element> {
        primitiveSequence.source.asSingle()
    }

    /// Returns a completable that ignores the element of the maybe.
    public func asCompletable() -> Completable {
        primitiveSequence.source.ignoreElements().asCompletable()
    }

    /// Returns a maybe with the given element if this one fails.
    public func catchAndReturn(_ element: Element) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.catchAndReturn(element))
    }
}

extension ObservableType {
    /// Returns the observable as a maybe. It emits the only element when the observable completes, and fails at a
    /// second element.
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: onlyElement(orFail: nil))
    }
}
