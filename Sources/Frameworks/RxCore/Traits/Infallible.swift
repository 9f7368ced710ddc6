/// A source that never fails.
///
/// It only adds this guarantee to an ``Observable``; it shares nothing and does not change where events are delivered.
/// ``asObservable()`` returns an observable with all operators.
public struct Infallible<Element>: InfallibleType {
    private let stream: Observable<Element>

    /// Creates an infallible from an observable that must not fail. This is not checked.
    init(raw stream: Observable<Element>) {
        self.stream = stream
    }

    /// Returns the source as a plain observable.
    public func asObservable() -> Observable<Element> {
        stream
    }
}

/// A source that never fails: the protocol that defines the operators of ``Infallible``.
public protocol InfallibleType<Element>: ObservableConvertibleType {}

extension InfallibleType {
    /// Returns the source as an ``Infallible``.
    public func asInfallible() -> Infallible<Element> {
        Infallible(raw: asObservable())
    }
}

/// An event of an ``Infallible``.
@frozen
public enum InfallibleEvent<Element> {
    /// The next element.
    case next(Element)
    /// The infallible completes.
    case completed
}

extension Infallible {
    /// A closure that receives the events of an infallible.
    public typealias InfallibleObserver = (InfallibleEvent<Element>) -> Void

    /// Creates an infallible that calls the closure for each observer.
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

    /// Returns an infallible that emits the given elements and completes.
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible {
        Infallible(raw: .from(elements, scheduler: scheduler))
    }

    /// Returns an infallible that emits the elements of an array and completes.
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible {
        Infallible(raw: .from(array, scheduler: scheduler))
    }

    /// Returns an infallible that emits the elements of a sequence and completes.
    public static func from<Sequence: Swift.Sequence>(
        _ sequence: Sequence, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible where Sequence.Element == Element {
        Infallible(raw: .from(sequence, scheduler: scheduler))
    }
}

extension InfallibleType {
    /// Returns an infallible that emits one element and completes.
    public static func just(_ element: Element) -> Infallible<Element> {
        Infallible(raw: .just(element))
    }

    /// Returns an infallible that emits one element on the scheduler and completes.
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(raw: .just(element, scheduler: scheduler))
    }

    /// Returns an infallible that completes immediately.
    public static func empty() -> Infallible<Element> {
        Infallible(raw: .empty())
    }

    /// Returns an infallible that never emits an event.
    public static func never() -> Infallible<Element> {
        Infallible(raw: .never())
    }

    /// Returns an infallible that calls the closure for each observer and subscribes it to the result.
    ///
    /// If the closure throws, the error is passed to ``Hooks/defaultErrorHandler``.
    public static func deferred(_ observableFactory: @escaping () throws -> Infallible<Element>) -> Infallible<Element>
    {
        Infallible(raw: .deferred { try observableFactory().asObservable() })
    }
}

extension InfallibleType {
    /// Calls the closure for each event.
    public func subscribe(_ on: @escaping (InfallibleEvent<Element>) -> Void) -> any Disposable {
        asObservable().subscribe { event in
            switch event {
            case .next(let element): on(.next(element))
            case .completed: on(.completed)
            case .error: break
            }
        }
    }

    /// Subscribes closures to the elements, the completion, and the end of the subscription for any reason.
    public func subscribe(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes closures that receive an unretained object; see ``subscribe(onNext:onCompleted:onDisposed:)``. After
    /// the object is deallocated, they are not called.
    public func subscribe<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }
}

extension ObservableConvertibleType {
    /// Returns an infallible that emits the given element and completes if this source fails.
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(raw: asObservable().catchAndReturn(element))
    }

    /// Returns an infallible that continues with the other one if this source fails.
    public func asInfallible(onErrorFallbackTo infallible: Infallible<Element>) -> Infallible<Element> {
        Infallible(raw: asObservable().catch { _ in infallible.asObservable() })
    }

    /// Returns an infallible that continues with the one returned by the closure if this source fails.
    public func asInfallible(onErrorRecover: @escaping (any Error) -> Infallible<Element>) -> Infallible<Element> {
        Infallible(raw: asObservable().catch { onErrorRecover($0).asObservable() })
    }
}

extension BehaviorRelay {
    /// Returns an infallible of the relay's elements.
    public func asInfallible() -> Infallible<Element> {
        Infallible(raw: asObservable())
    }
}

extension PublishRelay {
    /// Returns an infallible of the relay's elements.
    public func asInfallible() -> Infallible<Element> {
        Infallible(raw: asObservable())
    }
}

extension ReplayRelay {
    /// Returns an infallible of the relay's elements.
    public func asInfallible() -> Infallible<Element> {
        Infallible(raw: asObservable())
    }
}
