public import CombineCore
import StateCapture

extension ObservableType {
    /// Returns an observable that transforms each element. It fails if the closure throws.
    @inlinable
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Observable<Result> {
        Observable(TrampolinedPublisher(source.tryMap(transform)))
    }

    /// Returns an observable that transforms each element and drops nil results. It fails if the closure throws.
    @inlinable
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Observable<Result> {
        Observable(TrampolinedPublisher(source.tryMap(transform).compactMap { $0 }))
    }

    /// Returns an observable that emits each element with its zero-based index.
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        liftStateful { observer, capture in
            var next = 0
            capture?.keep("enumerated", holding: Int.self, { next }, { next = $0 })
            return { event in
                observer.on(event.map { (index: next, element: $0) })
                next &+= 1
            }
        }
    }

    /// Returns an observable that emits each intermediate result of accumulating the elements, without the seed. It
    /// fails if the closure throws.
    @inlinable
    public func scan<Accumulated>(
        _ seed: Accumulated, accumulator: @escaping (Accumulated, Element) throws -> Accumulated
    ) -> Observable<Accumulated> {
        scan(into: seed) { $0 = try accumulator($0, $1) }
    }

    /// Accumulates a result that is changed in place; see ``scan(_:accumulator:)``.
    @inlinable
    public func scan<Accumulated>(
        into seed: Accumulated, accumulator: @escaping (inout Accumulated, Element) throws -> Void
    ) -> Observable<Accumulated> {
        liftStateful { observer, capture in
            var result = seed
            capture?.keep("scan", holding: Accumulated.self, { CapturedValue(result) }, { result = $0.value ?? seed })
            return { event in
                observer.on(
                    event.map { element in
                        try accumulator(&result, element)
                        return result
                    })
            }
        }
    }

    /// Returns an observable that emits the result of accumulating all elements when this one completes.
    public func reduce<Accumulated>(
        _ seed: Accumulated, accumulator: @escaping (Accumulated, Element) throws -> Accumulated
    ) -> Observable<Accumulated> {
        reduce(seed, accumulator: accumulator) { $0 }
    }

    /// Returns an observable that accumulates all elements and emits the result, transformed by `mapResult`, when this
    /// one completes.
    public func reduce<Accumulated, Result>(
        _ seed: Accumulated, accumulator: @escaping (Accumulated, Element) throws -> Accumulated,
        mapResult: @escaping (Accumulated) throws -> Result
    ) -> Observable<Result> {
        liftStateful { observer, capture in
            var result = seed
            capture?.keep("reduce", holding: Accumulated.self, { CapturedValue(result) }, { result = $0.value ?? seed })
            return { event in
                do {
                    switch event {
                    case .next(let element): result = try accumulator(result, element)
                    case .error(let error): observer.onError(error)
                    case .completed:
                        observer.onNext(try mapResult(result))
                        observer.onCompleted()
                    }
                } catch {
                    observer.onError(error)
                }
            }
        }
    }

    /// Returns a single with an array of all elements when this observable completes.
    public func toArray() -> Single<[Element]> {
        Single(
            raw: liftStateful { observer, capture in
                var elements = CapturedValues<Element>()
                capture?.keep("toArray", holding: Element.self, { elements }, { elements = $0 })
                return { event in
                    switch event {
                    case .next(let element): elements.values.append(element)
                    case .error(let error): observer.onError(error)
                    case .completed:
                        observer.onNext(elements.values)
                        observer.onCompleted()
                    }
                }
            })
    }

    /// Returns an observable that emits the events of this one as elements, including the terminal event, and then
    /// completes.
    public func materialize() -> Observable<Event<Element>> {
        lift { observer in
            { event in
                // The terminal event of a source that had ended before the machine was restored is not new.
                if event.isStopEvent, StateRegistry.isRestoring { return observer.onCompleted() }
                observer.onNext(event)
                if event.isStopEvent { observer.onCompleted() }
            }
        }
    }

    /// Returns an observable that groups the elements by key. Each group is an observable that begins with its first
    /// element.
    ///
    /// A group with observers stays active when the subscription to the result is disposed of. In a session that is
    /// restored, groups are emitted anew, because what had been subscribed to the former ones is not captured.
    public func groupBy<Key: Hashable>(keySelector: @escaping (Element) throws -> Key)
        -> Observable<GroupedObservable<Key, Element>>
    {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let subscription = CompositeDisposable()
            // Groups count as users, so that the source stays subscribed while a group has observers.
            let users = RefCountDisposable(disposable: subscription)
            group.add(users)
            var groups: [Key: PublishSubject<Element>] = [:]
            func end(_ event: Event<Element>) {
                for group in groups.values { group.on(event) }
                // Changes the type of a terminal event. It has no element, so the closure does not run.
                observer.on(event.map { _ in throw RxError.unknown })
                subscription.dispose()
            }
            stream.listen(subscription) { event in
                guard case .next(let element) = event else { return end(event) }
                do {
                    let key = try keySelector(element)
                    if let group = groups[key] { return group.onNext(element) }
                    let group = OperatorCapture.withoutCapture { PublishSubject<Element>() }
                    groups[key] = group
                    // The group is emitted before its first element, so that observers can subscribe in time.
                    OperatorCapture.withoutCapture {
                        observer.onNext(GroupedObservable(key: key, source: group.counted(by: users)))
                    }
                    group.onNext(element)
                } catch {
                    end(.error(error))
                }
            }
        })
    }
}

extension ObservableType where Element: EventConvertible {
    /// Returns an observable of the events that the elements represent: the inverse of
    /// ``ObservableType/materialize()``.
    public func dematerialize() -> Observable<Element.Element> {
        liftStateful { observer, capture in
            capture?.keep("dematerialize")
            return { event in
                switch event {
                case .next(let element): observer.on(element.event)
                case .error(let error): observer.onError(error)
                case .completed: observer.onCompleted()
                }
            }
        }
    }

    /// Returns an observable that emits the elements of the `next` events.
    public func elements() -> Observable<Element.Element> {
        compactMap(\.event.element)
    }

    /// Returns an observable that emits the errors of the `error` events.
    public func errors() -> Observable<any Error> {
        compactMap(\.event.error)
    }
}

/// An observable of the elements with the same key.
public struct GroupedObservable<Key, Element>: ObservableType {
    /// The key of the group.
    public let key: Key
    private let group: Observable<Element>

    /// Creates a group with the given key.
    public init(key: Key, source: Observable<Element>) {
        self.key = key
        group = source
    }

    /// Subscribes `observer` to the group.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        group.subscribe(observer)
    }

    /// Returns the elements of the group as an observable.
    public func asObservable() -> Observable<Element> {
        group
    }
}
