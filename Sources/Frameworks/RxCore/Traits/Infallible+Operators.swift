extension InfallibleType {
    /// Returns an infallible that transforms each element.
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> Infallible<Result> {
        Infallible(raw: asObservable().map(transform))
    }

    /// Returns an infallible that transforms each element and drops nil results.
    public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Infallible<Result> {
        Infallible(raw: asObservable().compactMap(transform))
    }

    /// Returns an infallible that emits the elements that satisfy the predicate.
    public func filter(_ predicate: @escaping (Element) -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().filter(predicate))
    }

    /// Returns an infallible that emits each intermediate result of accumulating the elements, without the seed.
    public func scan<Seed>(_ seed: Seed, accumulator: @escaping (Seed, Element) -> Seed) -> Infallible<Seed> {
        Infallible(raw: asObservable().scan(seed, accumulator: accumulator))
    }

    /// Accumulates a result that is changed in place; see ``scan(_:accumulator:)``.
    public func scan<Seed>(into seed: Seed, accumulator: @escaping (inout Seed, Element) -> Void) -> Infallible<Seed> {
        Infallible(raw: asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// Returns an infallible that emits the given elements and then those of this source.
    public func startWith(_ elements: Element...) -> Infallible<Element> {
        Infallible(raw: .concat([.from(elements), asObservable()]))
    }

    /// Returns an infallible that delivers the events on the scheduler.
    public func observe(on scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().observe(on: scheduler))
    }

    /// Returns an infallible that subscribes on the scheduler.
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().subscribe(on: scheduler))
    }

    /// Returns an infallible that shares one subscription among all observers; see
    /// ``ObservableType/share(replay:scope:)``.
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Infallible<Element> {
        Infallible(raw: asObservable().share(replay: replay, scope: scope))
    }

    /// Returns an infallible that applies the closure to each element and an unretained object. It completes at the
    /// first element after the object is deallocated.
    public func withUnretained<Object: AnyObject, Out>(
        _ obj: Object, resultSelector: @escaping (Object, Element) -> Out
    ) -> Infallible<Out> {
        Infallible(raw: asObservable().withUnretained(obj, resultSelector: resultSelector))
    }

    /// Returns an infallible that pairs each element with an unretained object. It completes at the first element after
    /// the object is deallocated.
    public func withUnretained<Object: AnyObject>(_ obj: Object) -> Infallible<(Object, Element)> {
        Infallible(raw: asObservable().withUnretained(obj))
    }

    /// Returns an infallible that applies the closure to each element and the latest element of `second`. Elements
    /// before the first one of `second` are dropped.
    public func withLatestFrom<Source: InfallibleType, Result>(
        _ second: Source, resultSelector: @escaping (Element, Source.Element) throws -> Result
    ) -> Infallible<Result> {
        Infallible(raw: asObservable().withLatestFrom(second, resultSelector: resultSelector))
    }

    /// Returns an infallible that emits the latest element of `second` whenever this source emits. Nothing is emitted
    /// before the first element of `second`.
    public func withLatestFrom<Source: InfallibleType>(_ second: Source) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().withLatestFrom(second))
    }

    /// Returns an infallible that runs the closures as side effects, in the order of
    /// ``ObservableType/do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)``.
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Infallible<Element> {
        Infallible(
            raw: asObservable().do(
                onNext: onNext, afterNext: afterNext, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Returns an infallible that prints every event, prefixed with the identifier.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> Infallible<Element> {
        Infallible(
            raw: asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}

extension InfallibleType {
    /// Returns an infallible that emits an element only if no other follows within `dueTime`. On completion, the last
    /// element is emitted immediately.
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// Returns an infallible that emits the first element and then at most one per `dueTime`; see
    /// ``ObservableType/throttle(_:latest:scheduler:)``.
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }

    /// Returns an infallible that delivers the events later by `dueTime`.
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().delay(dueTime, scheduler: scheduler))
    }

    /// Returns an infallible that subscribes to this one after `dueTime`.
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Returns an infallible that emits the first `count` elements and completes.
    public func take(_ count: Int) -> Infallible<Element> {
        Infallible(raw: asObservable().take(count))
    }

    /// Returns an infallible that emits elements for the given duration and completes.
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().take(for: duration, scheduler: scheduler))
    }

    /// Returns an infallible that emits the last `count` elements when this one completes.
    public func takeLast(_ count: Int) -> Infallible<Element> {
        Infallible(raw: asObservable().takeLast(count))
    }

    /// Returns an infallible that emits elements until `other` emits, and completes.
    public func take<Source: InfallibleType>(until other: Source) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: other.asObservable()))
    }

    /// Returns an infallible that emits elements until `other` emits, and completes.
    public func take<Source: ObservableType>(until other: Source) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: other))
    }

    /// Returns an infallible that emits elements until one satisfies the predicate, and completes.
    public func take(until predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().take(until: predicate, behavior: behavior))
    }

    /// Returns an infallible that emits elements as long as they satisfy the predicate, and completes.
    public func take(while predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().take(while: predicate, behavior: behavior))
    }

    /// Returns an infallible that drops the first `count` elements.
    public func skip(_ count: Int) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(count))
    }

    /// Returns an infallible that drops the elements received before the duration has elapsed.
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(duration, scheduler: scheduler))
    }

    /// Returns an infallible that drops elements until one does not satisfy the predicate.
    public func skip(while predicate: @escaping (Element) throws -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(while: predicate))
    }

    /// Returns an infallible that drops elements until `other` emits.
    public func skip<Source: InfallibleType>(until other: Source) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(until: other.asObservable()))
    }

    /// Returns an infallible that drops elements until `other` emits.
    public func skip<Source: ObservableType>(until other: Source) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(until: other))
    }

    /// Returns an infallible that drops each element that `comparer` considers equal to the previous one.
    public func distinctUntilChanged(_ comparer: @escaping (Element, Element) throws -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(comparer))
    }

    /// Returns an infallible that drops each element whose key equals the key of the previous one.
    public func distinctUntilChanged<Key: Equatable>(_ keySelector: @escaping (Element) throws -> Key)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().distinctUntilChanged(keySelector))
    }

    /// Returns an infallible that drops each element whose property equals that of the previous one.
    public func distinctUntilChanged<Property: Equatable>(at keyPath: KeyPath<Element, Property>)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().distinctUntilChanged(at: keyPath))
    }

    /// Returns an infallible that drops each element whose key `comparer` considers equal to the key of the previous
    /// one.
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) throws -> Key, comparer: @escaping (Key, Key) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }
}

extension InfallibleType where Element: Equatable {
    /// Returns an infallible that drops each element that equals the previous one.
    public func distinctUntilChanged() -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged())
    }
}
