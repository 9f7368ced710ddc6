extension ObservableType {
    /// The same events, told on the scheduler, in their order.
    ///
    /// This also unwinds what is sent from inside a delivery: it waits for its turn.
    public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let queue = EventQueue(observer, group, scheduler.resolveImmediate())
            stream.listen(group, queue.append)
        })
    }

    /// The same stream, subscribed to on the scheduler, and disposed of there.
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let scheduler = scheduler.resolveImmediate()
            let current = SerialDisposable()
            group.add(current)
            let pending = SingleAssignmentDisposable()
            current.disposable = pending
            pending.setDisposable(
                scheduler.soon {
                    let subscription = CompositeDisposable()
                    current.disposable = ScheduledDisposable(scheduler: scheduler, disposable: subscription)
                    stream.listen(subscription, observer.on)
                })
        })
    }
}
