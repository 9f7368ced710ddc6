extension ObservableType {
    /// Returns an observable that delivers the events on the scheduler, in order.
    ///
    /// Elements that are sent during a delivery are queued, too, instead of being delivered depth-first.
    public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let queue = EventQueue(observer, group, scheduler.resolveImmediate())
            stream.listen(group, queue.capture, queue.append)
            queue.capture?.finish(observer)
        })
    }

    /// Returns an observable that subscribes, and disposes of the subscription, on the scheduler.
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let scheduler = scheduler.resolveImmediate()
            let current = SerialDisposable()
            group.add(current)
            let subscribe = {
                let subscription = CompositeDisposable()
                // Assigned before the subscription, during which the downstream may dispose of it.
                current.disposable = ScheduledDisposable(scheduler: scheduler, disposable: subscription)
                stream.listen(subscription, observer.on)
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
