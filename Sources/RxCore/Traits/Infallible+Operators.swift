extension InfallibleType {
    /// What the closure makes of each element.
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> Infallible<Result> {
        Infallible(raw: asObservable().map(transform))
    }

    /// What the closure makes of each element, unless it is nil.
    public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Infallible<Result> {
        Infallible(raw: asObservable().compactMap(transform))
    }

    /// The elements that the closure says yes to.
    public func filter(_ predicate: @escaping (Element) -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().filter(predicate))
    }

    /// The results of adding each element to the one before, without the seed.
    public func scan<Seed>(_ seed: Seed, accumulator: @escaping (Seed, Element) -> Seed) -> Infallible<Seed> {
        Infallible(raw: asObservable().scan(seed, accumulator: accumulator))
    }

    /// Like ``scan(_:accumulator:)`` with a result that is changed in place.
    public func scan<Seed>(into seed: Seed, accumulator: @escaping (inout Seed, Element) -> Void) -> Infallible<Seed> {
        Infallible(raw: asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// The elements, those given before them first.
    public func startWith(_ elements: Element...) -> Infallible<Element> {
        Infallible(raw: .concat([.from(elements), asObservable()]))
    }

    /// The same events, told on the scheduler.
    public func observe(on scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().observe(on: scheduler))
    }

    /// The same stream, subscribed to on the scheduler.
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().subscribe(on: scheduler))
    }

    /// The stream, shared by all its observers; see ``ObservableType/share(replay:scope:)``.
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Infallible<Element> {
        Infallible(raw: asObservable().share(replay: replay, scope: scope))
    }

    /// What the closure makes of each element and of an object that is not retained; ends at the first element that finds
    /// the object gone.
    public func withUnretained<Object: AnyObject, Out>(
        _ obj: Object, resultSelector: @escaping (Object, Element) -> Out
    ) -> Infallible<Out> {
        Infallible(raw: asObservable().withUnretained(obj, resultSelector: resultSelector))
    }

    /// Each element with an object that is not retained; ends at the first element that finds the object gone.
    public func withUnretained<Object: AnyObject>(_ obj: Object) -> Infallible<(Object, Element)> {
        Infallible(raw: asObservable().withUnretained(obj))
    }

    /// What the closure makes of each element and of the latest of the other stream; nothing before that has one.
    public func withLatestFrom<Source: InfallibleType, Result>(
        _ second: Source, resultSelector: @escaping (Element, Source.Element) -> Result
    ) -> Infallible<Result> {
        Infallible(raw: asObservable().withLatestFrom(second, resultSelector: resultSelector))
    }

    /// The latest element of the other stream each time that this one sends; nothing before there is one.
    public func withLatestFrom<Source: InfallibleType>(_ second: Source) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().withLatestFrom(second))
    }

    /// The stream itself; the closures run on the way, in the order of
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

    /// The stream itself; every event is printed, with the identifier in front.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> Infallible<Element> {
        Infallible(
            raw: asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}

extension InfallibleType {
    /// Each element after which nothing comes for that time; the last also when the stream ends.
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// The first element and then at most one each time that `dueTime` has passed; see
    /// ``ObservableType/throttle(_:latest:scheduler:)``.
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }

    /// The events, each later by that time.
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().delay(dueTime, scheduler: scheduler))
    }

    /// The stream, subscribed to once that time has passed.
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().delaySubscription(dueTime, scheduler: scheduler))
    }

    /// The first elements.
    public func take(_ count: Int) -> Infallible<Element> {
        Infallible(raw: asObservable().take(count))
    }

    /// The elements of that time, then the end.
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().take(for: duration, scheduler: scheduler))
    }

    /// The last elements, when the stream has ended.
    public func takeLast(_ count: Int) -> Infallible<Element> {
        Infallible(raw: asObservable().takeLast(count))
    }

    /// The elements until the other stream sends one, then the end.
    public func take<Source: InfallibleType>(until other: Source) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: other.asObservable()))
    }

    /// The elements until the other stream sends one, then the end.
    public func take<Source: ObservableType>(until other: Source) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: other))
    }

    /// The elements until the closure says yes of one, then the end.
    public func take(until predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().take(until: predicate, behavior: behavior))
    }

    /// The elements while the closure says yes of them, then the end.
    public func take(while predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().take(while: predicate, behavior: behavior))
    }

    /// All elements but the first.
    public func skip(_ count: Int) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(count))
    }

    /// The elements that come after that time.
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(duration, scheduler: scheduler))
    }

    /// The elements from the first on of which the closure does not say yes.
    public func skip(while predicate: @escaping (Element) throws -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(while: predicate))
    }

    /// The elements that follow the first element of the other stream.
    public func skip<Source: InfallibleType>(until other: Source) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(until: other.asObservable()))
    }

    /// The elements that follow the first element of the other stream.
    public func skip<Source: ObservableType>(until other: Source) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(until: other))
    }

    /// The elements that differ from the one before, as `comparer` sees it.
    public func distinctUntilChanged(_ comparer: @escaping (Element, Element) throws -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(comparer))
    }

    /// The elements whose key differs from that of the one before.
    public func distinctUntilChanged<Key: Equatable>(_ keySelector: @escaping (Element) throws -> Key)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().distinctUntilChanged(keySelector))
    }

    /// The elements of which a property differs from that of the one before.
    public func distinctUntilChanged<Property: Equatable>(at keyPath: KeyPath<Element, Property>)
        -> Infallible<Element>
    {
        Infallible(raw: asObservable().distinctUntilChanged(at: keyPath))
    }

    /// The elements whose key differs from that of the one before, as `comparer` sees it.
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) throws -> Key, comparer: @escaping (Key, Key) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }
}

extension InfallibleType where Element: Equatable {
    /// The elements that differ from the one before.
    public func distinctUntilChanged() -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged())
    }
}
