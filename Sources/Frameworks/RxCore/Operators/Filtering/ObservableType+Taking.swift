/// Whether the element that ends a `take` is emitted.
public enum TakeBehavior {
    /// The element is emitted.
    case inclusive
    /// The element is dropped.
    case exclusive
}

extension ObservableType {
    /// Returns an observable that emits the first `count` elements and completes.
    public func take(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "expected a count of at least 0, got \(count)")
        guard count > 0 else { return .empty() }
        return liftStateful { observer, capture in
            var taken = 0
            capture?.keep("take", holding: Int.self, { taken }, { taken = $0 })
            return { event in
                guard case .next = event else { return observer.on(event) }
                taken &+= 1
                // Counted before delivery, because an element sent during the delivery must count, too.
                let number = taken
                if number <= count { observer.on(event) }
                if number == count { observer.onCompleted() }
            }
        }
    }

    /// Returns an observable that emits elements for the given duration and completes.
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        take(until: Observable<Int>.timer(duration, scheduler: scheduler))
    }

    /// Returns an observable that emits the last `count` elements when this one completes.
    public func takeLast(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "expected a count of at least 0, got \(count)")
        return liftStateful { observer, capture in
            var last = CapturedValues<Element>()
            capture?.keep("takeLast", holding: Element.self, { last }, { last = $0 })
            return { event in
                switch event {
                case .next(let element):
                    last.values.append(element)
                    if last.values.count > count { last.values.removeFirst() }
                case .error(let error): observer.onError(error)
                case .completed:
                    last.values.forEach(observer.onNext)
                    observer.onCompleted()
                }
            }
        }
    }

    /// Returns an observable that emits elements until `other` emits, and completes.
    public func take<Source: ObservableType>(until other: Source) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let serializer = Serializer(group)
            let capture = OperatorCapture.current(group, serializer)
            capture?.keep("takeUntil")
            other.listen(group, capture) { event in
                serializer.run {
                    switch event {
                    case .next: observer.onCompleted()
                    case .error(let error): observer.onError(error)
                    case .completed: break
                    }
                }
            }
            stream.listen(group, capture) { event in serializer.run { observer.on(event) } }
            capture?.finish(observer)
        })
    }

    /// Returns an observable that emits elements until one satisfies the predicate, and completes.
    public func take(until predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Observable<Element>
    {
        liftStateful { observer, capture in
            capture?.keep("takeWhile")
            return { event in
                guard case .next(let element) = event else { return observer.on(event) }
                do {
                    let isLast = try predicate(element)
                    if !isLast || behavior == .inclusive { observer.onNext(element) }
                    if isLast { observer.onCompleted() }
                } catch {
                    observer.onError(error)
                }
            }
        }
    }

    /// Returns an observable that emits elements as long as they satisfy the predicate, and completes.
    public func take(while predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Observable<Element>
    {
        take(until: { try !predicate($0) }, behavior: behavior)
    }

    /// Returns an observable that drops the first `count` elements.
    public func skip(_ count: Int) -> Observable<Element> {
        liftStateful { observer, capture in
            var skipped = 0
            capture?.keep("skip", holding: Int.self, { skipped }, { skipped = $0 })
            return { event in
                if case .next = event, skipped < count {
                    skipped &+= 1
                } else {
                    observer.on(event)
                }
            }
        }
    }

    /// Returns an observable that drops the elements received before the duration has elapsed. It completes with this
    /// one, even before that.
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        skip(until: Observable<Int>.timer(duration, scheduler: scheduler), completesEarly: true)
    }

    /// Returns an observable that drops elements until one does not satisfy the predicate.
    public func skip(while predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        liftStateful { observer, capture in
            var isSkipping = true
            capture?.keep("skipWhile", holding: Bool.self, { isSkipping }, { isSkipping = $0 })
            return { event in
                guard isSkipping, case .next(let element) = event else { return observer.on(event) }
                do {
                    isSkipping = try predicate(element)
                    if !isSkipping { observer.on(event) }
                } catch {
                    observer.onError(error)
                }
            }
        }
    }

    /// Returns an observable that drops elements until `other` emits.
    ///
    /// If this observable completes before `other` emits, the result never terminates, as in RxSwift.
    public func skip<Source: ObservableType>(until other: Source) -> Observable<Element> {
        skip(until: other, completesEarly: false)
    }

    private func skip<Source: ObservableType>(until other: Source, completesEarly: Bool) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let serializer = Serializer(group)
            let trigger = CompositeDisposable()
            group.add(trigger)
            var isOpen = false
            let capture = OperatorCapture.current(group, serializer)
            var hasTrigger = true
            capture?.keep("skipUntil", holding: Bool.self) {
                SkipState(isOpen: isOpen, hasTrigger: !trigger.isDisposed)
            } _: {
                (isOpen, hasTrigger) = ($0.isOpen, $0.hasTrigger)
            }
            stream.listenUnserialized(group, capture) { event in
                var isPointless = false
                serializer.run {
                    switch event {
                    case .next: if isOpen { observer.on(event) }
                    case .completed where !isOpen && !completesEarly: isPointless = true
                    case .error, .completed: observer.on(event)
                    }
                }
                if isPointless { trigger.dispose() }
            }
            other.listenUnserialized(trigger, capture) { event in
                serializer.run {
                    switch event {
                    case .next: isOpen = true
                    case .error(let error): observer.onError(error)
                    case .completed: break
                    }
                }
                trigger.dispose()
            }
            if !hasTrigger { trigger.dispose() }
            capture?.finish(observer)
        })
    }
}

/// The captured state of `skip(until:)`.
private struct SkipState: Codable {
    var isOpen: Bool
    var hasTrigger: Bool
}
