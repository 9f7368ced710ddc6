public import Locking

@usableFromInline
final class TimeoutConduit<Context: Scheduler, Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @usableFromInline typealias Event = StoredEvent<Downstream.Input, Downstream.Failure>

    @usableFromInline let scheduler: ResolvedScheduler<Context>
    @usableFromInline let interval: Context.SchedulerTimeType.Stride
    /// Accessed inside the gate, and released after the end.
    @exclusivity(unchecked) @usableFromInline var makeError: (() -> Downstream.Failure)?
    /// The events to deliver, oldest first. Guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline var events = Queue<Event>()
    /// These are guarded by `lock`: the current timer, its number, and whether downstream has requested values.
    @exclusivity(unchecked) @usableFromInline var timer: (any Cancellable)?
    @exclusivity(unchecked) @usableFromInline var number = 0
    @exclusivity(unchecked) @usableFromInline var isWanted = false

    @inlinable
    init(
        _ downstream: Downstream, _ scheduler: ResolvedScheduler<Context>,
        _ interval: Context.SchedulerTimeType.Stride, _ makeError: (() -> Downstream.Failure)?
    ) {
        self.scheduler = scheduler
        self.interval = interval
        self.makeError = makeError
        super.init(downstream) { unsafeDowncast($0, to: TimeoutConduit<Context, Downstream>.self).handle($1) }
    }

    @usableFromInline deinit {
        // The repeating timer holds the conduit weakly and would keep firing after the conduit has ended.
        timer?.cancel()
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            lock.lock()
            let isFirst = !isWanted
            isWanted = true
            lock.unlock()
            // Upstream owes nothing before the first request, so the time before it does not count.
            if isFirst { restartTimer() }
            requestUpstream(more)
        case .cancel:
            // Before the end: a timer that fires meanwhile finds its number invalid.
            stopTimer()
            endAndCancel()
        case .drainPending:
            guard demand.isEnded else { return }
            downstream = nil
            makeError = nil
            lock.lock()
            let former = events
            events = Queue()
            lock.unlock()
            withExtendedLifetime(former) {}
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let outermost = enter()
        if accept(subscription) {
            hasBegun = true
            downstream?.receive(subscription: self)
            restartTimer()
        }
        exit(outermost)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard hasBegun, !demand.isEnded else { return .none }
        // Before the delivery is queued: the period is the distance between arrivals, regardless of the scheduler's
        // delay.
        restartTimer()
        enqueue(.value(input))
        return .none
    }

    @inlinable
    func enqueue(_ event: Event) {
        lock.lock()
        events.append(event)
        lock.unlock()
        // The action carries no event: on a concurrent scheduler, whichever runs first delivers the oldest.
        scheduler.schedule { self.deliverOldest() }
    }

    @inlinable
    func deliverOldest() {
        let outermost = enter()
        defer { exit(outermost) }
        guard !demand.isEnded, let downstream else { return }
        lock.lock()
        let event = events.removeFirst()
        lock.unlock()
        switch event {
        case .value(let value):
            let more = downstream.receive(value)
            // The upstream call that brought the value has long returned, so the demand is requested.
            if more.rawValue > 0 { requestUpstream(more) }
        case .completion(let completion): complete(completion)
        case nil: return
        }
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard hasBegun, !demand.isEnded else { return }
        stopTimer()
        // Upstream has completed. Dropped now, because the completion is delivered later.
        takeUpstream()
        enqueue(.completion(completion))
    }

    /// Restarts the timer, unless the conduit has ended.
    @inlinable
    func restartTimer() {
        guard !demand.isEnded else { return }
        // Each restart has its own number. A former timer that is about to fire cannot be stopped, but finds that its
        // number is out of date.
        let number = stopTimer()
        let next = scheduler.schedule(every: interval) { [weak self] in self?.fire(number) }
        lock.lock()
        // Another value may have arrived, or the conduit may have ended, while the scheduler was called, before there
        // was a timer to stop.
        let isCurrent = self.number == number && !demand.isEnded
        if isCurrent { timer = next }
        lock.unlock()
        if !isCurrent { next.cancel() }
    }

    /// Stops the timer and invalidates its number.
    ///
    /// - Returns: The number of the next timer.
    @usableFromInline
    @discardableResult
    func stopTimer() -> Int {
        let (former, next) = lock.withLock {
            let taken = timer
            timer = nil
            number &+= 1
            return (taken, number)
        }
        // Outside the lock: a cancellation may run code that takes the lock again.
        former?.cancel()
        return next
    }

    @inlinable
    func fire(_ number: Int) {
        let outermost = enter()
        defer { exit(outermost) }
        // A value may have arrived between the firing of the timer and this entry.
        guard lock.withLock({ self.number == number }), !demand.isEnded else { return }
        stopTimer()
        // Events that are queued but not delivered are dropped with the end: the timeout ends the stream now.
        end(with: makeError.map { .failure($0()) } ?? .finished)
    }

    @usableFromInline override var description: String { "Timeout" }
}
