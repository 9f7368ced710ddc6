public import CombineCore

extension ObservableType {
    /// What the closure makes of each element; a failure if it throws.
    @inlinable
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Observable<Result> {
        Observable(source.tryMap(transform))
    }

    /// What the closure makes of each element, without the nils; a failure if it throws.
    @inlinable
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Observable<Result> {
        Observable(source.tryMap(transform).compactMap { $0 })
    }

    /// Each element with its number, from 0.
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        lift { observer in
            var next = 0
            return { event in
                observer.on(event.map { (index: next, element: $0) })
                next += 1
            }
        }
    }

    /// The results of adding each element to the one before, without the seed; a failure if the closure throws.
    @inlinable
    public func scan<Accumulated>(
        _ seed: Accumulated, accumulator: @escaping (Accumulated, Element) throws -> Accumulated
    ) -> Observable<Accumulated> {
        scan(into: seed) { $0 = try accumulator($0, $1) }
    }

    /// Like ``scan(_:accumulator:)`` with a result that is changed in place.
    @inlinable
    public func scan<Accumulated>(
        into seed: Accumulated, accumulator: @escaping (inout Accumulated, Element) throws -> Void
    ) -> Observable<Accumulated> {
        lift { observer in
            var result = seed
            return { event in
                observer.on(
                    event.map { element in
                        try accumulator(&result, element)
                        return result
                    })
            }
        }
    }

    /// The result of adding up all elements, when they have ended.
    public func reduce<Accumulated>(
        _ seed: Accumulated, accumulator: @escaping (Accumulated, Element) throws -> Accumulated
    ) -> Observable<Accumulated> {
        reduce(seed, accumulator: accumulator) { $0 }
    }

    /// What the last closure makes of the result of adding up all elements, when they have ended.
    public func reduce<Accumulated, Result>(
        _ seed: Accumulated, accumulator: @escaping (Accumulated, Element) throws -> Accumulated,
        mapResult: @escaping (Accumulated) throws -> Result
    ) -> Observable<Result> {
        lift { observer in
            var result = seed
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

    /// All elements as one array, when they have ended.
    public func toArray() -> Single<[Element]> {
        Single(
            raw: lift { observer in
                var elements: [Element] = []
                return { event in
                    switch event {
                    case .next(let element): elements.append(element)
                    case .error(let error): observer.onError(error)
                    case .completed:
                        observer.onNext(elements)
                        observer.onCompleted()
                    }
                }
            })
    }

    /// The events of the stream as elements, the end among them; then the end. Errors become elements, too.
    public func materialize() -> Observable<Event<Element>> {
        lift { observer in
            { event in
                observer.onNext(event)
                if event.isStopEvent { observer.onCompleted() }
            }
        }
    }

    /// The elements in groups of those for which `keySelector` returns the same key, each group as a stream that begins
    /// with its first element. Groups that somebody is subscribed to go on when the subscription to this stream is over.
    public func groupBy<Key: Hashable>(keySelector: @escaping (Element) throws -> Key)
        -> Observable<GroupedObservable<Key, Element>>
    {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let subscription = CompositeDisposable()
            let users = RefCountDisposable(disposable: subscription)
            group.add(users)
            var groups: [Key: PublishSubject<Element>] = [:]
            func end(_ event: Event<Element>) {
                for group in groups.values { group.on(event) }
                observer.on(event.map { _ in throw RxError.unknown })
                subscription.dispose()
            }
            stream.listen(subscription) { event in
                guard case .next(let element) = event else { return end(event) }
                do {
                    let key = try keySelector(element)
                    if let group = groups[key] { return group.onNext(element) }
                    let group = PublishSubject<Element>()
                    groups[key] = group
                    let counted = Observable<Element>(serving: { observer, members in
                        members.add(users.retain())
                        group.listen(members, observer.on)
                    })
                    observer.onNext(GroupedObservable(key: key, source: counted))
                    group.onNext(element)
                } catch {
                    end(.error(error))
                }
            }
        })
    }
}

extension ObservableType where Element: EventConvertible {
    /// What the elements, which stand for events, tell of: the opposite of ``ObservableType/materialize()``.
    public func dematerialize() -> Observable<Element.Element> {
        lift { observer in
            { event in
                switch event {
                case .next(let told): observer.on(told.event)
                case .error(let error): observer.onError(error)
                case .completed: observer.onCompleted()
                }
            }
        }
    }

    /// The elements that the events bring: for a stream that was materialised, its successes.
    public func elements() -> Observable<Element.Element> {
        compactMap(\.event.element)
    }

    /// The errors that the events bring: for a stream that was materialised, its failures.
    public func errors() -> Observable<any Error> {
        compactMap(\.event.error)
    }
}

/// The elements of a stream that have the same key.
public struct GroupedObservable<Key, Element>: ObservableType {
    /// What they have in common.
    public let key: Key
    private let group: Observable<Element>

    /// A group with its key.
    public init(key: Key, source: Observable<Element>) {
        self.key = key
        group = source
    }

    /// Subscribes `observer` to the group.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        group.subscribe(observer)
    }

    /// The group without its key.
    public func asObservable() -> Observable<Element> {
        group
    }
}
