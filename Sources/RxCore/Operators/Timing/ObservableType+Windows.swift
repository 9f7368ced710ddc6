extension ObservableType {
    /// Returns an observable that collects the elements into arrays. An array is emitted when it has `count` elements
    /// or when `timeSpan` has elapsed, even if it is empty. The remaining elements are emitted on completion.
    public func buffer(timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType) -> Observable<[Element]> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let timed = TimedSlot<[Element]>(observer, group, scheduler.resolve())
            func begin() {
                timed.element = []
                timed.arm(after: timeSpan, end)
            }
            func end() {
                let full = timed.take() ?? []
                // The next array begins before the delivery, during which an element may arrive.
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

    /// Returns an observable that splits the elements into observables. A new one begins when the current one has
    /// `count` elements or when `timeSpan` has elapsed.
    public func window(timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType)
        -> Observable<Observable<Element>>
    {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
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
