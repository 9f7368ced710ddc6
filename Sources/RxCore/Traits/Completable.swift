/// The promise of no element.
public enum CompletableTrait {}

/// A stream without elements, which ends or fails.
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

/// What a ``Completable`` tells its observer, once.
@frozen
public enum CompletableEvent {
    /// The failure.
    case error(any Error)
    /// It is done.
    case completed
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// What is told the one event.
    public typealias CompletableObserver = (CompletableEvent) -> Void

    /// A completable that runs the closure for each observer.
    public static func create(subscribe: @escaping (@escaping CompletableObserver) -> any Disposable) -> Completable {
        Completable(
            raw: .create { observer in
                subscribe { event in
                    switch event {
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
            })
    }

    /// The failure.
    public static func error(_ error: any Error) -> Completable {
        Completable(raw: .error(error))
    }

    /// The end.
    public static func empty() -> Completable {
        Completable(raw: .empty())
    }

    /// Nothing, ever.
    public static func never() -> Completable {
        Completable(raw: .never())
    }

    /// Runs the closure for the end or the error.
    public func subscribe(_ observer: @escaping (CompletableEvent) -> Void) -> any Disposable {
        primitiveSequence.source.subscribe { event in
            switch event {
            case .error(let error): observer(.error(error))
            case .completed: observer(.completed)
            }
        }
    }

    /// Runs the closures for the end or the error, and when the subscription is over for whatever reason. An error without
    /// an `onError` goes to ``Hooks/defaultErrorHandler``.
    public func subscribe(
        onCompleted: (() -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        primitiveSequence.source.subscribe(onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Like ``subscribe(onCompleted:onError:onDisposed:)`` with an object that the closures get and that is not retained;
    /// once it is gone they are not called. An error without an `onError` is ignored, as RxSwift does.
    public func subscribe<Object: AnyObject>(
        with object: Object, onCompleted: ((Object) -> Void)? = nil, onError: ((Object, any Error) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onCompleted: { [weak object] in object.map { onCompleted?($0) } },
            onError: { [weak object] error in object.map { onError?($0, error) } },
            onDisposed: { [weak object] in object.map { onDisposed?($0) } })
    }

    /// The stream once this is done; this one's failure if it fails.
    public func andThen<Result>(_ second: Observable<Result>) -> Observable<Result> {
        let first = primitiveSequence.source
        return Observable(serving: { observer, group in
            first.listen(group) { event in
                switch event {
                case .error(let error): observer.onError(error)
                case .completed: second.listen(group, observer.on)
                }
            }
        })
    }

    /// The single once this is done; this one's failure if it fails.
    public func andThen<Result>(_ second: Single<Result>) -> Single<Result> {
        Single(raw: andThen(second.source))
    }

    /// The maybe once this is done; this one's failure if it fails.
    public func andThen<Result>(_ second: Maybe<Result>) -> Maybe<Result> {
        Maybe(raw: andThen(second.source))
    }

    /// The completable once this is done; this one's failure if it fails.
    public func andThen(_ second: Completable) -> Completable {
        Completable(raw: andThen(second.source))
    }

    /// Done when all of them are, one after another.
    public static func concat(_ sources: Completable...) -> Completable {
        Completable(raw: Observable.concat(sources.map(\.source)))
    }

    /// Done when all of them are, one after another.
    public static func concat<Sequence: Swift.Sequence>(_ sequence: Sequence) -> Completable
    where Sequence.Element == Completable {
        Completable(raw: Observable.concat(sequence.lazy.map(\.source)))
    }

    /// Done when all of them are, one after another.
    public static func concat<Collection: Swift.Collection>(_ collection: Collection) -> Completable
    where Collection.Element == Completable {
        Completable(raw: Observable.concat(collection.map(\.source)))
    }

    /// Done when this and then the other one is done.
    public func concat(_ second: Completable) -> Completable {
        andThen(second)
    }

    /// Done when all of them are; they run at the same time.
    public static func zip<Collection: Swift.Collection>(_ sources: Collection) -> Completable
    where Collection.Element == Completable {
        Completable(raw: Observable.merge(sources.map(\.source)))
    }

    /// The completable itself; the closures run on the way.
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

    /// Done when all of them are, all at once.
    public static func zip(_ sources: Completable...) -> Completable {
        Completable(raw: Observable.merge(sources.map(\.source)))
    }
}

extension ObservableType where Element == Never {
    /// The end of the stream.
    public func asCompletable() -> Completable {
        Completable(raw: asObservable())
    }
}
