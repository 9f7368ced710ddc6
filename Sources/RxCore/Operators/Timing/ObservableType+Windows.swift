extension ObservableType {
    /// The elements in arrays: one as soon as there are `count` elements, or when that time has passed, even without any.
    /// The rest comes when the stream ends.
    public func buffer(timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType) -> Observable<[Element]> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let timed = TimedSlot<[Element]>(observer, group, scheduler.resolve())
            func begin() {
                timed.element = []
                timed.arm(after: timeSpan, end)
            }
            func end() {
                let full = timed.take() ?? []
                begin()
                observer.onNext(full)
            }
            timed.run(begin)
            stream.listen(group) { event in
                timed.run {
                    switch event {
                    case .next(let element):
                        timed.element?.append(element)
                        if timed.element?.count == count { end() }
                    case .error(let error): observer.onError(error)
                    case .completed:
                        timed.flush()
                        observer.onCompleted()
                    }
                }
            }
        })
    }

    /// The elements in streams: another begins as soon as one has had `count` elements, or when that time has passed.
    public func window(timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType)
        -> Observable<Observable<Element>>
    {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let timed = TimedSlot<Observable<Element>>(observer, group, scheduler.resolve())
            var window = PublishSubject<Element>()
            var counted = 0
            func begin() {
                window = PublishSubject()
                counted = 0
                timed.arm(after: timeSpan, end)
                observer.onNext(window)
            }
            func end() {
                window.onCompleted()
                begin()
            }
            timed.run(begin)
            stream.listen(group) { event in
                timed.run {
                    window.on(event)
                    switch event {
                    case .next:
                        counted += 1
                        if counted == count { end() }
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
            }
        })
    }
}
