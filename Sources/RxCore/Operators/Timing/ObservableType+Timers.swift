import FoundationEssentials

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
    /// The events, each later by that time and in their order on any scheduler; an error is sent immediately and discards
    /// the elements that wait.
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let queue = DelayQueue(observer, group, dueTime, scheduler.resolve())
            stream.listen(group, queue.receive)
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
    /// `latest` is false, the first that comes afterwards. An element that comes exactly then is sent.
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType)
        -> Observable<Element>
    {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let scheduler = scheduler.resolve()
            let timed = TimedSlot<Element>(observer, group, scheduler)
            var lastSent: RxTime?
            var hasEnded = false
            func send(_ element: Element) {
                timed.element = nil
                observer.onNext(element)
                // Afterwards: an observer that takes its time gets its pause, too.
                lastSent = scheduler.now
            }
            stream.listen(group) { event in
                timed.run {
                    switch event {
                    case .next(let element):
                        let remaining = lastSent.map { dueTime.reduced(by: scheduler.now.timeIntervalSince($0)) }
                        guard let remaining, remaining.nanoseconds > 0 else { return send(element) }
                        guard latest else { return }
                        timed.element = element
                        guard !timed.isArmed else { return }
                        timed.arm(after: remaining) {
                            if let element = timed.element { send(element) }
                            if hasEnded { observer.onCompleted() }
                        }
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
