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
            var current: PublishSubject<Element>?
            // The windows that are full but not completed yet.
            var full: [PublishSubject<Element>] = []
            func open() -> PublishSubject<Element> {
                if let current { return current }
                return OperatorCapture.withoutCapture {
                    let window = PublishSubject<Element>()
                    current = window
                    observer.onNext(window)
                    return window
                }
            }
            func begin() {
                timed.count = 0
                timed.arm(after: timeSpan, fill)
            }
            func fill() {
                if let window = current { full.append(window) }
                current = nil
                begin()
            }
            func takeFull() -> [PublishSubject<Element>] {
                defer { full = [] }
                return full
            }
            // Outside of the serializer, like every end. An element that arrives meanwhile opens the next window.
            func complete(_ windows: [PublishSubject<Element>]) {
                if windows.isEmpty { return }
                windows.forEach { $0.onCompleted() }
                timed.run { _ = open() }
            }
            timed.afterTimer = {
                var windows: [PublishSubject<Element>] = []
                timed.run { windows = takeFull() }
                complete(windows)
            }
            timed.begin(
                {
                    begin()
                    _ = open()
                }, onTimer: fill)
            stream.listenUnserialized(group, timed.capture) { event in
                var windows: [PublishSubject<Element>] = []
                timed.run {
                    let window = open()
                    if event.isStopEvent {
                        let former = takeFull()
                        timed.end()
                        former.forEach { $0.onCompleted() }
                    }
                    window.on(event)
                    switch event {
                    case .next:
                        timed.count &+= 1
                        if timed.count == count { fill() }
                        windows = takeFull()
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
                complete(windows)
            }
            guard let capture = timed.capture else { return }
            capture.finish(observer)
            // What was subscribed to the former window is not captured, so the rest of it is a new one.
            if capture.isRestored { capture.start { timed.run { _ = open() } } }
        })
    }
}
