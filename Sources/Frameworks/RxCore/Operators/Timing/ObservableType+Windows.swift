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
            // Windows count as users, so that the source stays subscribed while a window has observers.
            let subscription = CompositeDisposable()
            let users = RefCountDisposable(disposable: subscription)
            group.add(users)
            let windows = Windows(observer, subscription, users, timeSpan, count, scheduler.resolve())
            windows.begin()
            let capture = windows.timed.capture
            stream.listenUnserialized(subscription, capture, windows.receive)
            capture?.finish(observer)
            windows.beginAgain()
        })
    }
}

/// The windows of one observer.
///
/// They are opened and filled inside the serializer, and completed outside of it, like every end.
private final class Windows<Element> {
    let timed: TimedSlot<Never>
    private let observer: AnyObserver<Observable<Element>>
    private let users: RefCountDisposable
    private let timeSpan: RxTimeInterval
    private let count: Int
    /// Used inside the serializer, like the property below. Nil if the next event opens a window.
    private var current: PublishSubject<Element>?
    /// The windows that are full and not completed yet.
    private var full: [PublishSubject<Element>] = []

    init(
        _ observer: AnyObserver<Observable<Element>>, _ group: CompositeDisposable, _ users: RefCountDisposable,
        _ timeSpan: RxTimeInterval, _ count: Int, _ scheduler: any SchedulerType
    ) {
        self.observer = observer
        self.users = users
        self.timeSpan = timeSpan
        self.count = count
        timed = TimedSlot(AnyObserver { _ in }, group, scheduler, "window")
        // Weak, because the timer belongs to the windows.
        timed.afterTimer = { [weak self] in self?.completeFull() }
    }

    func begin() {
        timed.begin(
            { [self] in
                arm()
                _ = open()
            }, onTimer: fill)
    }

    /// Opens a window in a restored machine. What was subscribed to the former one is not captured, so the rest of it is a
    /// new one.
    func beginAgain() {
        guard let capture = timed.capture, capture.isRestored else { return }
        capture.start { [self] in timed.run { _ = open() } }
    }

    func receive(_ event: Event<Element>) {
        var ended: [PublishSubject<Element>] = []
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
                ended = takeFull()
            case .error(let error): observer.onError(error)
            case .completed: observer.onCompleted()
            }
        }
        complete(ended)
    }

    private func open() -> PublishSubject<Element> {
        if let current { return current }
        return OperatorCapture.withoutCapture {
            let window = PublishSubject<Element>()
            current = window
            observer.onNext(window.counted(by: users))
            return window
        }
    }

    private func arm() {
        timed.count = 0
        timed.arm(after: timeSpan, fill)
    }

    private func fill() {
        if let window = current { full.append(window) }
        current = nil
        arm()
    }

    private func takeFull() -> [PublishSubject<Element>] {
        defer { full = [] }
        return full
    }

    private func completeFull() {
        var ended: [PublishSubject<Element>] = []
        timed.run { ended = takeFull() }
        complete(ended)
    }

    private func complete(_ ended: [PublishSubject<Element>]) {
        if ended.isEmpty { return }
        ended.forEach { $0.onCompleted() }
        // An element that arrived meanwhile has opened it.
        timed.run { _ = open() }
    }
}
