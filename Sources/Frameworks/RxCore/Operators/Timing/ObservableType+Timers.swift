extension ObservableType where Element: RxAbstractInteger {
    /// Returns an observable that emits 0, 1, 2 and so on, one after each period, without end.
    public static func interval(_ period: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        Observable<Element>.timer(period, period: period, scheduler: scheduler)
    }

    /// Returns an observable that emits 0 after `dueTime`. With a period, it then emits 1, 2 and so on; without one, it
    /// completes.
    public static func timer(
        _ dueTime: RxTimeInterval, period: RxTimeInterval? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        Observable(subscribe: { observer, group in
            let scheduler = scheduler.resolve()
            if let capture = OperatorCapture.current(group) {
                return CapturedTimer(observer, group, capture, scheduler, period).begin(after: dueTime)
            }
            guard let period else {
                group.add(
                    scheduler.schedule(after: dueTime) {
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
    /// Returns an observable that delivers the elements and the completion later by `dueTime`, in order on any
    /// scheduler. An error is delivered immediately and discards the waiting elements.
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let queue = DelayQueue(observer, group, dueTime, scheduler.resolve())
            stream.listen(group, queue.capture, queue.receive)
            queue.capture?.finish(observer)
        })
    }

    /// Returns an observable that subscribes to this one after `dueTime`.
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let scheduler = scheduler.resolve()
            let subscribe = { stream.listen(group, observer.on) }
            guard let capture = OperatorCapture.current(group) else {
                return group.add(scheduler.schedule(after: dueTime, subscribe))
            }
            let late = CapturedSubscription(group, capture, "delaySubscription", subscribe)
            late.begin(after: dueTime, on: scheduler)
            capture.finish(observer)
        })
    }

    /// Returns an observable that emits an element only if no other follows within `dueTime`. On completion, the last
    /// element is emitted immediately.
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let timed = TimedSlot<Element>(observer, group, scheduler.resolve(), "debounce")
            timed.begin { timed.flush() }
            stream.listen(group, timed.capture) { event in
                timed.run {
                    guard case .next(let element) = event else {
                        if case .completed = event { timed.flush() }
                        return observer.on(event)
                    }
                    timed.element = element
                    timed.arm(after: dueTime) { timed.flush() }
                }
            }
            timed.capture?.finish(observer)
        })
    }

    /// Returns an observable that emits the first element and then at most one per `dueTime`.
    ///
    /// If `latest` is true, the latest element received meanwhile is emitted when the time has elapsed. Otherwise, the
    /// next element after that is emitted. An element that arrives exactly at that time is emitted.
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType)
        -> Observable<Element>
    {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let timed = TimedSlot<Element>(observer, group, scheduler.resolve(), "throttle")
            func send(_ element: Element) {
                timed.element = nil
                observer.onNext(element)
                // Read after the delivery, so that a slow observer also gets the full interval.
                timed.moment = timed.clock.now
            }
            func sendPending() {
                if let element = timed.element { send(element) }
                // The source completed while the element was pending.
                if timed.hasEnded { observer.onCompleted() }
            }
            timed.begin(onTimer: sendPending)
            stream.listen(group, timed.capture) { event in
                timed.run {
                    switch event {
                    case .next(let element):
                        let remaining = timed.moment.map { dueTime.reduced(by: timed.clock.now &- $0) }
                        guard let remaining, remaining.nanoseconds > 0 else { return send(element) }
                        guard latest else { return }
                        timed.element = element
                        if !timed.isArmed { timed.arm(after: remaining, sendPending) }
                    case .completed where timed.element != nil: timed.hasEnded = true
                    default: observer.on(event)
                    }
                }
            }
            timed.capture?.finish(observer)
        })
    }

    /// Returns an observable that fails with ``RxError/timeout`` if the time to the first element, or between two
    /// elements, exceeds `dueTime`.
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(dueTime, other: Observable<Element>.error(RxError.timeout), scheduler: scheduler)
    }

    /// Returns an observable that switches to `other` if the time to the first element, or between two elements,
    /// exceeds `dueTime`.
    public func timeout<Source: ObservableConvertibleType>(
        _ dueTime: RxTimeInterval, other: Source, scheduler: any SchedulerType
    ) -> Observable<Element> where Source.Element == Element {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let timed = TimedSlot<Element>(observer, group, scheduler.resolve(), "timeout")
            let subscription = CompositeDisposable()
            group.add(subscription)
            timed.capture?.makeScope("timeout")
            let elapse = { timed.hasEnded = true }
            let switchToOther = { [capture = timed.capture] in
                subscription.dispose()
                let listen = { other.listen(group, observer.on) }
                if let capture { capture.wireLater(listen) } else { listen() }
            }
            timed.afterTimer = switchToOther
            let arm = { timed.arm(after: dueTime, elapse) }
            timed.begin(arm, onTimer: elapse)
            stream.listen(subscription, timed.capture) { event in
                timed.run {
                    // An element of another thread may have waited for the serializer while the timer fired.
                    if timed.hasEnded { return }
                    if case .next = event { arm() } else { timed.disarm() }
                    observer.on(event)
                }
            }
            guard let capture = timed.capture else { return }
            capture.finish(observer)
            if capture.isRestored, !capture.hasEnded, timed.hasEnded { switchToOther() }
        })
    }
}
