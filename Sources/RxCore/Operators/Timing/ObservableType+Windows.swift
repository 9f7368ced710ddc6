extension ObservableType {
    /// Returns an observable that collects the elements into arrays. An array is emitted when it has `count` elements
    /// or when `timeSpan` has elapsed, even if it is empty. The remaining elements are emitted on completion.
    public func buffer(timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType) -> Observable<[Element]> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let timed = TimedSlot<[Element]>(observer, group, scheduler.resolve(), "buffer")
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
            timed.begin(begin, onTimer: end)
            stream.listen(group, timed.capture) { event in
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
            timed.capture?.finish(observer)
        })
    }

    /// Returns an observable that splits the elements into observables. A new one begins when the current one has
    /// `count` elements or when `timeSpan` has elapsed.
    public func window(timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType)
        -> Observable<Observable<Element>>
    {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let timed = TimedSlot<Never>(AnyObserver { _ in }, group, scheduler.resolve(), "window")
            var window = OperatorCapture.withoutCapture { PublishSubject<Element>() }
            func open() {
                OperatorCapture.withoutCapture {
                    window = PublishSubject()
                    observer.onNext(window)
                }
            }
            func begin() {
                timed.count = 0
                timed.arm(after: timeSpan, end)
                open()
            }
            func end() {
                window.onCompleted()
                begin()
            }
            timed.begin(begin, onTimer: end)
            stream.listen(group, timed.capture) { event in
                timed.run {
                    if event.isStopEvent { timed.end() }
                    window.on(event)
                    switch event {
                    case .next:
                        timed.count &+= 1
                        if timed.count == count { end() }
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
            }
            guard let capture = timed.capture else { return }
            capture.finish(observer)
            // What was subscribed to the former window is not captured, so the rest of it is a new one.
            if capture.isRestored { capture.start { timed.run(open) } }
        })
    }
}
