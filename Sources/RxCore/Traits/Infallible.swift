/// A stream that may complete and never fails.
///
/// It shares nothing and runs where its source runs; only the promise differs from ``Observable``. ``asObservable()`` gives
/// the stream with all operators.
public struct Infallible<Element>: InfallibleType {
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

/// A stream that may complete and never fails: the protocol on which the operators of ``Infallible`` are defined.
public protocol InfallibleType<Element>: ObservableConvertibleType {}

extension InfallibleType {
    /// The stream as an ``Infallible``.
    public func asInfallible() -> Infallible<Element> {
        Infallible(raw: asObservable())
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

    /// The elements and the end.
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible {
        Infallible(raw: .from(elements, scheduler: scheduler))
    }

    /// The elements of an array and the end.
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible {
        Infallible(raw: .from(array, scheduler: scheduler))
    }

    /// The elements of a sequence and the end.
    public static func from<Sequence: Swift.Sequence>(
        _ sequence: Sequence, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible where Sequence.Element == Element {
        Infallible(raw: .from(sequence, scheduler: scheduler))
    }
}

extension InfallibleType {
    /// The element and the end.
    public static func just(_ element: Element) -> Infallible<Element> {
        Infallible(raw: .just(element))
    }

    /// The element on the scheduler, and the end.
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(raw: .just(element, scheduler: scheduler))
    }

    /// The end.
    public static func empty() -> Infallible<Element> {
        Infallible(raw: .empty())
    }

    /// Nothing, ever.
    public static func never() -> Infallible<Element> {
        Infallible(raw: .never())
    }

    /// For each observer the stream that the closure makes. A closure that throws breaks the promise; see
    /// ``Hooks/defaultErrorHandler``.
    public static func deferred(_ observableFactory: @escaping () throws -> Infallible<Element>) -> Infallible<Element>
    {
        Infallible(raw: .deferred { try observableFactory().asObservable() })
    }
}

extension InfallibleType {
    /// Runs the closure for every event.
    public func subscribe(_ on: @escaping (InfallibleEvent<Element>) -> Void) -> any Disposable {
        asObservable().subscribe { event in
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
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Like ``subscribe(onNext:onCompleted:onDisposed:)`` with an object that the closures get and that is not retained;
    /// once it is gone they are not called.
    public func subscribe<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
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
