extension ObservableType {
    /// Returns an observable that delivers the events on the scheduler, in order, each in an action of its own. On a
    /// session's loop, one action delivers all waiting events.
    ///
    /// Elements that are sent during a delivery are queued, too, instead of being delivered depth-first.
    public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        Observable(subscribe: { observer, group in
            let queue = EventQueue(observer, group, scheduler.resolveImmediate())
            if let capture = queue.capture {
                listen(group, capture, queue.append)
                capture.finish(observer)
            } else {
                listenDirectly(group, queue.append)
            }
        })
    }

    /// Returns an observable that subscribes, and disposes of the subscription, on the scheduler.
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        Observable(subscribe: { observer, group in
            let scheduler = scheduler.resolveImmediate()
            let current = SerialDisposable()
            group.add(current)
            let subscribe = {
                let subscription = CompositeDisposable()
                // Assigned before the subscription, during which the downstream may dispose of it.
                current.disposable = ScheduledDisposable(scheduler: scheduler, disposable: subscription)
                listenDirectly(subscription, observer.on)
            }
            if let capture = OperatorCapture.current(group) {
                CapturedSubscription(group, capture, "subscribeOn", subscribe).begin(on: scheduler)
                return capture.finish(observer)
            }
            let pending = SingleAssignmentDisposable()
            current.disposable = pending
            pending.setDisposable(scheduler.schedule(subscribe))
        })
    }
}

extension ObservableType {
    /// Subscribes on behalf of an operator that unsubscribes on a scheduler.
    ///
    /// A type of its own, such as a test's observable, is subscribed to without its ``asObservable()``, which would
    /// unsubscribe with the terminal event, before that reaches the scheduler.
    fileprivate func listenDirectly(_ group: CompositeDisposable, _ handler: @escaping (Event<Element>) -> Void) {
        if let stream = self as? Observable<Element> {
            stream.listen(group, handler)
        } else {
            group.add(subscribe(AnyObserver(eventHandler: handler)))
        }
    }
}
