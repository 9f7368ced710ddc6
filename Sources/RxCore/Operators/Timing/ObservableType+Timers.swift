extension ObservableType where Element: RxAbstractInteger {
    /// 0, 1, 2 and so on: one after each period, for ever.
    public static func interval(_ period: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        Observable<Element>.timer(period, period: period, scheduler: scheduler)
    }

    /// 0 once that time has passed; then 1, 2 and so on after each period, or the end if there is none.
    public static func timer(
        _ dueTime: RxTimeInterval, period: RxTimeInterval? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        Observable(serving: { observer, group in
            let scheduler = scheduler.resolve()
            guard let period else {
                group.add(
                    scheduler.after(dueTime) {
                        observer.onNext(0)
                        observer.onCompleted()
                    })
                return
            }
            let ticks = scheduler.schedulePeriodic(0 as Element, startAfter: dueTime, period: period) { tick in
                observer.onNext(tick)
                return tick &+ 1
            }
            group.add(ticks)
        })
    }
}

extension ObservableType {
    /// The events, each later by that time; an error comes at once.
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let scheduler = scheduler.resolve()
            let serializer = Serializer()
            stream.listen(group) { event in
                if case .error = event { return serializer.run { observer.on(event) } }
                let timer = SingleAssignmentDisposable()
                guard let key = group.insert(timer) else { return }
                timer.setDisposable(
                    scheduler.after(dueTime) {
                        group.remove(for: key)
                        serializer.run { observer.on(event) }
                    })
            }
        })
    }

    /// The stream, subscribed to once that time has passed.
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            group.add(scheduler.resolve().after(dueTime) { stream.listen(group, observer.on) })
        })
    }

    /// Each element after which nothing comes for that time; the last also when the stream ends.
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let timed = TimedSlot<Element>(observer, group, scheduler.resolve())
            stream.listen(group) { event in
                timed.run {
                    guard case .next(let element) = event else {
                        if case .completed = event { timed.flush() }
                        return observer.on(event)
                    }
                    timed.element = element
                    timed.arm(after: dueTime) { timed.flush() }
                }
            }
        })
    }

    /// The first element and then at most one each time that `dueTime` has passed: the latest that came meanwhile, or, if
    /// `latest` is false, the first that comes afterwards.
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType)
        -> Observable<Element>
    {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let timed = TimedSlot<Element>(observer, group, scheduler.resolve())
            var hasEnded = false
            func open(with element: Element) {
                timed.arm(after: dueTime) {
                    if let next = timed.take() { open(with: next) }
                    if hasEnded { observer.onCompleted() }
                }
                observer.onNext(element)
            }
            stream.listen(group) { event in
                timed.run {
                    switch event {
                    case .next(let element):
                        if !timed.isArmed { return open(with: element) }
                        if latest { timed.element = element }
                    case .completed where timed.element != nil: hasEnded = true
                    default: observer.on(event)
                    }
                }
            }
        })
    }

    /// The elements; ``RxError/timeout`` if the first, or the next after any, does not come in time.
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(dueTime, other: Observable<Element>.error(RxError.timeout), scheduler: scheduler)
    }

    /// The elements; those of the other stream from then on, if the first, or the next after any, does not come in time.
    public func timeout<Source: ObservableConvertibleType>(
        _ dueTime: RxTimeInterval, other: Source, scheduler: any SchedulerType
    ) -> Observable<Element> where Source.Element == Element {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let timed = TimedSlot<Element>(observer, group, scheduler.resolve())
            let subscription = CompositeDisposable()
            group.add(subscription)
            func arm() {
                timed.arm(after: dueTime) {
                    subscription.dispose()
                    other.listen(group, observer.on)
                }
            }
            arm()
            stream.listen(subscription) { event in
                timed.run {
                    guard !subscription.isDisposed else { return }
                    if case .next = event { arm() } else { timed.disarm() }
                    observer.on(event)
                }
            }
        })
    }
}
