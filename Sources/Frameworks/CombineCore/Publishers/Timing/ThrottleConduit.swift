public import Locking

@usableFromInline
final class ThrottleConduit<Context: Scheduler, Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @usableFromInline let scheduler: ResolvedScheduler<Context>
    @usableFromInline let interval: Context.SchedulerTimeType.Stride
    @usableFromInline let latest: Bool
    /// These are guarded by `lock`: the events to deliver, and whether their delivery has been scheduled.
    @exclusivity(unchecked) @usableFromInline var waiting: Downstream.Input?
    @exclusivity(unchecked) @usableFromInline var completion: Subscribers.Completion<Downstream.Failure>?
    @exclusivity(unchecked) @usableFromInline var isScheduled = false
    /// The time of the last delivery; before the first one, the time of the subscription.
    @exclusivity(unchecked) @usableFromInline var last: Context.SchedulerTimeType
    @exclusivity(unchecked) @usableFromInline var hasDelivered = false

    @inlinable
    init(
        _ downstream: Downstream, _ scheduler: ResolvedScheduler<Context>,
        _ interval: Context.SchedulerTimeType.Stride, _ latest: Bool
    ) {
        self.scheduler = scheduler
        self.interval = interval
        self.latest = latest
        last = scheduler.now
        super.init(downstream) { unsafeDowncast($0, to: ThrottleConduit<Context, Downstream>.self).handle($1) }
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        // Upstream has unlimited demand already. A request delivers nothing by itself: values without demand were
        // dropped.
        case .request(let more): demand.add(more)
        case .cancel: endAndCancel()
        case .drainPending:
            guard demand.isEnded else { return }
            downstream = nil
            lock.lock()
            let former = waiting
            waiting = nil
            lock.unlock()
            withExtendedLifetime(former) {}
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let outermost = enter()
        // The conduit may have been created long before the subscription arrives.
        if !hasBegun { last = scheduler.now }
        begin(subscription, requesting: .unlimited)
        exit(outermost)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard hasBegun, !demand.isEnded else { return .none }
        // Read outside the lock: a scheduler is user code and may take its own locks.
        let now = scheduler.now
        guard demand.current > 0 else { return .none }
        lock.lock()
        var former: Downstream.Input?
        // With `latest`, the newest value replaces the waiting one; otherwise the first one of the interval stays.
        if completion == nil, latest || waiting == nil {
            former = waiting
            waiting = input
        }
        let date = reserve(from: now)
        lock.unlock()
        // The replaced value is released after unlocking: its deinitializer may call back.
        withExtendedLifetime(former) {}
        // Scheduled outside the lock: an immediate scheduler runs the action, which takes the lock, from inside.
        if let date { schedule(date, now) }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard hasBegun, !demand.isEnded else { return }
        takeUpstream()
        let now = scheduler.now
        lock.lock()
        if self.completion == nil { self.completion = completion }
        let date = reserve(from: now)
        lock.unlock()
        if let date { schedule(date, now) }
    }

    /// Returns the time of the next delivery; nil if it is scheduled already. The caller holds `lock`.
    @inlinable
    func reserve(from now: Context.SchedulerTimeType) -> Context.SchedulerTimeType? {
        // There is one pending action at a time; it delivers the value that is waiting when it runs.
        if isScheduled { return nil }
        isScheduled = true
        let due = last.advanced(by: interval)
        // The first value is not delayed, as in Combine: the interval is the distance between two deliveries.
        return hasDelivered && due > now ? due : now
    }

    @inlinable
    func schedule(_ date: Context.SchedulerTimeType, _ now: Context.SchedulerTimeType) {
        if date > now {
            scheduler.schedule(at: date) { self.deliver() }
        } else {
            scheduler.schedule { self.deliver() }
        }
    }

    @inlinable
    func deliver() {
        let outermost = enter()
        defer { exit(outermost) }
        guard !demand.isEnded else { return }
        lock.lock()
        isScheduled = false
        let value = waiting
        let ending = completion
        // Taken out before the delivery, so that a value that arrives from inside starts a new wait.
        waiting = nil
        lock.unlock()
        if ending == nil {
            let now = scheduler.now
            lock.lock()
            last = now
            hasDelivered = true
            lock.unlock()
        }
        // The demand may have been used up since the value arrived; then the value is dropped.
        if let value, let downstream, demand.take() { demand.add(downstream.receive(value)) }
        // In the same action as the last value, so that nothing can run between the two.
        if let ending { complete(ending) }
    }

    @usableFromInline override var description: String { "Throttle" }
}
