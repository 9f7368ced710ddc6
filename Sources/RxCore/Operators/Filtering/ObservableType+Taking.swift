import CombineCore

/// Whether the element that ends a stream belongs to it.
public enum TakeBehavior {
    /// It does.
    case inclusive
    /// It does not.
    case exclusive
}

extension ObservableType {
    /// The first elements, then the end.
    public func take(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "\(count) elements cannot be taken")
        guard count > 0 else { return .empty() }
        return lift { observer in
            var taken = 0
            return { event in
                guard case .next = event else { return observer.on(event) }
                taken += 1
                // Counted before it is handed on: what is sent meanwhile counts, too.
                let number = taken
                if number <= count { observer.on(event) }
                if number == count { observer.onCompleted() }
            }
        }
    }

    /// The elements of that time, then the end.
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        take(until: Observable<Int>.timer(duration, scheduler: scheduler))
    }

    /// The last elements, when the stream has ended.
    public func takeLast(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "\(count) elements cannot be taken")
        return lift { observer in
            var last: [Element] = []
            return { event in
                switch event {
                case .next(let element):
                    last.append(element)
                    if last.count > count { last.removeFirst() }
                case .error(let error): observer.onError(error)
                case .completed:
                    last.forEach(observer.onNext)
                    observer.onCompleted()
                }
            }
        }
    }

    /// The elements until the other stream sends one, then the end.
    public func take<Source: ObservableType>(until other: Source) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let serializer = Serializer()
            other.listen(group) { event in
                serializer.run {
                    switch event {
                    case .next: observer.onCompleted()
                    case .error(let error): observer.onError(error)
                    case .completed: break
                    }
                }
            }
            stream.listen(group) { event in serializer.run { observer.on(event) } }
        })
    }

    /// The elements until the closure says yes of one, then the end.
    public func take(until predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Observable<Element>
    {
        lift { observer in
            { event in
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

    /// The elements while the closure says yes of them, then the end.
    public func take(while predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Observable<Element>
    {
        take(until: { try !predicate($0) }, behavior: behavior)
    }

    /// The elements but for the first.
    public func skip(_ count: Int) -> Observable<Element> {
        lift { observer in
            var skipped = 0
            return { event in
                if case .next = event, skipped < count {
                    skipped += 1
                } else {
                    observer.on(event)
                }
            }
        }
    }

    /// The elements that come after that time.
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        skip(until: Observable<Int>.timer(duration, scheduler: scheduler))
    }

    /// The elements from the first on of which the closure does not say yes.
    public func skip(while predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        lift { observer in
            var isSkipping = true
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

    /// The elements that follow the first element of the other stream. If there was none, nothing follows this stream's
    /// completion either, as with RxSwift.
    public func skip<Source: ObservableType>(until other: Source) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let serializer = Serializer()
            let trigger = CompositeDisposable()
            group.add(trigger)
            var isOpen = false
            stream.listen(group) { event in
                serializer.run {
                    if case .error = event { return observer.on(event) }
                    if isOpen { return observer.on(event) }
                    if case .completed = event { trigger.dispose() }
                }
            }
            other.listen(trigger) { event in
                serializer.run {
                    if case .error(let error) = event { return observer.onError(error) }
                    if case .next = event { isOpen = true }
                    trigger.dispose()
                }
            }
        })
    }
}
