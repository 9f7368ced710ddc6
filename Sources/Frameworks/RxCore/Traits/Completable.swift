import StateCapture

/// The trait of a sequence without elements.
public enum CompletableTrait {}

/// A sequence without elements that completes or fails.
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

/// The event of a ``Completable``. There is exactly one.
@frozen
public enum CompletableEvent {
    /// The completable fails.
    case error(any Error)
    /// The completable completes.
    case completed
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// A closure that receives the one event.
    public typealias CompletableObserver = (CompletableEvent) -> Void

    /// Creates a completable that calls the closure for each observer.
    ///
    /// In a session that is restored, the closure does not run again, because its work would be done twice. If it had not
    /// finished, the completable then completes without an element, and the work is reported as interrupted.
    public static func create(subscribe: @escaping (@escaping CompletableObserver) -> any Disposable) -> Completable {
        Completable(
            raw: .create(isRepeated: false) { observer in
                subscribe { event in
                    switch event {
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
            })
    }

    /// The completable fails.
    public static func error(_ error: any Error) -> Completable {
        Completable(raw: .error(error))
    }

    /// Returns a completable that completes immediately.
    public static func empty() -> Completable {
        Completable(raw: .empty())
    }

    /// Returns a completable that never emits an event.
    public static func never() -> Completable {
        Completable(raw: .never())
    }

    /// Calls the closure with the completion or the error.
    public func subscribe(_ observer: @escaping (CompletableEvent) -> Void) -> any Disposable {
        primitiveSequence.source.subscribe { event in
            switch event {
            case .error(let error): observer(.error(error))
            case .completed: observer(.completed)
            }
        }
    }

    /// Subscribes closures to the completion, the error, and the end of the subscription for any reason. An error
    /// without an `onError` is passed to ``Hooks/defaultErrorHandler``.
    public func subscribe(
        onCompleted: (() -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        primitiveSequence.source.subscribe(onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes closures that receive an unretained object; see ``subscribe(onCompleted:onError:onDisposed:)``. After
    /// the object is deallocated, they are not called. As in RxSwift, an error without an `onError` is ignored.
    public func subscribe<Object: AnyObject>(
        with object: Object, onCompleted: ((Object) -> Void)? = nil, onError: ((Object, any Error) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onCompleted: { [weak object] in object.map { onCompleted?($0) } },
            onError: { [weak object] error in object.map { onError?($0, error) } },
            onDisposed: { [weak object] in object.map { onDisposed?($0) } })
    }

    /// Returns an observable that subscribes to `second` after this completable completes. It fails if this one fails.
    public func andThen<Result>(_ second: Observable<Result>) -> Observable<Result> {
        let first = primitiveSequence.source
        return Observable(subscribe: { observer, group in
            let capture = OperatorCapture.current(group)
            // Whether the second one has been subscribed to after the wiring.
            var isContinued = false
            capture?.keep("andThen", holding: Bool.self, { isContinued }, { isContinued = $0 })
            capture?.makeScope("andThen")
            let listenToSecond = { second.listen(group, observer.on) }
            let handler = { (event: Event<Never>) in
                switch event {
                case .error(let error): observer.onError(error)
                case .completed:
                    // A completable that ends during the wiring does so again in a restored one.
                    guard let capture, !StateRegistry.isWiring else { return listenToSecond() }
                    isContinued = true
                    capture.wireLater(listenToSecond)
                }
            }
            guard let capture, isContinued || capture.hasEnded && capture.hasWiredLater else {
                first.listen(group, handler)
                capture?.finish(observer)
                return
            }
            first.listenSilently(group, handler)
            if capture.hasEnded { capture.finish(observer) } else { capture.wireLater(listenToSecond) }
        })
    }

    /// Returns a single that subscribes to `second` after this completable completes. It fails if this one fails.
    public func andThen<Result>(_ second: Single<Result>) -> Single<Result> {
        Single(raw: andThen(second.source))
    }

    /// Returns a maybe that subscribes to `second` after this completable completes. It fails if this one fails.
    public func andThen<Result>(_ second: Maybe<Result>) -> Maybe<Result> {
        Maybe(raw: andThen(second.source))
    }

    /// Returns a completable that subscribes to `second` after this one completes. It fails if this one fails.
    public func andThen(_ second: Completable) -> Completable {
        Completable(raw: andThen(second.source))
    }

    /// Returns a completable that runs the sources one after another and completes after the last.
    public static func concat(_ sources: Completable...) -> Completable {
        Completable(raw: Observable.concat(sources.map(\.source)))
    }

    /// Returns a completable that runs the sources one after another and completes after the last.
    public static func concat<Sequence: Swift.Sequence>(_ sequence: Sequence) -> Completable
    where Sequence.Element == Completable {
        Completable(raw: Observable.concat(sequence.lazy.map(\.source)))
    }

    /// Returns a completable that runs the sources one after another and completes after the last.
    public static func concat<Collection: Swift.Collection>(_ collection: Collection) -> Completable
    where Collection.Element == Completable {
        Completable(raw: Observable.concat(collection.map(\.source)))
    }

    /// Returns a completable that runs this one and then the other.
    public func concat(_ second: Completable) -> Completable {
        andThen(second)
    }

    /// Returns a completable that runs all sources at the same time and completes when all have completed.
    public static func zip<Collection: Swift.Collection>(_ sources: Collection) -> Completable
    where Collection.Element == Completable {
        Completable(raw: Observable.merge(sources.map(\.source)))
    }

    /// Returns a completable that runs the closures as side effects.
    public func `do`(
        onError: ((any Error) throws -> Void)? = nil, afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Completable {
        Completable(
            raw: primitiveSequence.source.do(
                onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Returns a completable that runs all sources at the same time and completes when all have completed.
    public static func zip(_ sources: Completable...) -> Completable {
        Completable(raw: Observable.merge(sources.map(\.source)))
    }
}

extension ObservableType where Element == Never {
    /// Returns the observable as a completable.
    public func asCompletable() -> Completable {
        Completable(raw: asObservable())
    }
}
