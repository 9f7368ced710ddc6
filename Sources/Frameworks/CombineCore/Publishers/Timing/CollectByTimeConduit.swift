public import Locking

/// The conduit behind `collect` by time.
///
/// Without a count, values are requested from upstream one at a time. With a count, as many values are requested as
/// fill the requested arrays.
@usableFromInline
final class CollectByTimeConduit<Input, Context: Scheduler, Downstream: Subscriber>: StageConduit<Downstream>,
    Subscriber
where Downstream.Input == [Input] {
    @usableFromInline let scheduler: ResolvedScheduler<Context>
    @usableFromInline let interval: Context.SchedulerTimeType.Stride
    /// The maximum length of an array.
    @usableFromInline let count: Int?
    /// These are accessed inside the gate. The values are released after the end.
    @exclusivity(unchecked) @usableFromInline var values: [Input] = []
    @exclusivity(unchecked) @usableFromInline var isUpstreamFinished = false
    /// The completion of upstream, which follows on the scheduler. Guarded by `lock`, like the timer.
    @exclusivity(unchecked) @usableFromInline var ending: Subscribers.Completion<Failure>?
    @exclusivity(unchecked) @usableFromInline var timer: (any Cancellable)?

    @inlinable
    init(
        _ downstream: Downstream, _ strategy: Publishers.TimeGroupingStrategy<Context>,
        _ options: Context.SchedulerOptions?
    ) {
        switch strategy {
        case .byTime(let context, let interval):
            // Resolved now and on this thread, since the session's scheduler is only known while the session runs.
            scheduler = ResolvedScheduler(context, options: options)
            self.interval = interval
            count = nil
        case .byTimeOrCount(let context, let interval, let count):
            precondition(count > 0, "The length of an array must be at least 1, got \(count).")
            scheduler = ResolvedScheduler(context, options: options)
            self.interval = interval
            self.count = count
        }
        super.init(downstream) {
            unsafeDowncast($0, to: CollectByTimeConduit<Input, Context, Downstream>.self).handle($1)
        }
    }

    @usableFromInline deinit {
        // The repeating timer holds the conduit weakly and would keep firing after the conduit has ended.
        timer?.cancel()
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            more.requirePositive()
            demand.add(more)
            // Without a count, an array can hold any number of values, so demand cannot be computed in advance. Each
            // value then requests the next one.
            requestUpstream(count.map { more * $0 } ?? .max(1))
            drainOrMark()
        case .cancel: endAndCancel()
        case .drainPending: drainPending()
        }
    }

    @inlinable
    func drainPending() {
        if demand.isEnded {
            // The scheduler is called outside the lock: a cancellation may run code that takes the lock again.
            let former = lock.withLock {
                let taken = timer
                timer = nil
                return taken
            }
            former?.cancel()
            downstream = nil
            values = []
            return
        }
        flush(isDue: false)
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let outermost = enter()
        if !hasBegun {
            begin(subscription)
            startTimer()
        } else {
            subscription.cancel()
        }
        exit(outermost)
    }

    @inlinable
    func startTimer() {
        guard !demand.isEnded else { return }
        // Weak, because the scheduler keeps the action until it is cancelled; a strong reference would keep a dropped
        // stream alive.
        let made = scheduler.schedule(every: interval) { [weak self] in self?.tick() }
        lock.lock()
        // The conduit may have ended while the scheduler was called, before there was a timer to cancel.
        let isWanted = !demand.isEnded && ending == nil
        if isWanted { timer = made }
        lock.unlock()
        if !isWanted { made.cancel() }
    }

    @inlinable
    func tick() {
        let outermost = enter()
        defer { exit(outermost) }
        guard !demand.isEnded else { return }
        let more = flush(isDue: true)
        // No upstream call is waiting for this demand as a return value, so it is requested.
        if let count, more.rawValue > 0 { requestUpstream(more * count) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard hasBegun, !demand.isEnded, ending == nil else { return .none }
        values.append(input)
        guard let count else { return .max(1) }
        return flush(isDue: false) * count
    }

    /// Delivers full arrays while there is demand, and the remaining values if they are due or upstream has finished.
    /// Runs inside the gate.
    ///
    /// - Returns: The additional demand that downstream has returned.
    @inlinable
    @discardableResult
    func flush(isDue: Bool) -> Subscribers.Demand {
        var more = Subscribers.Demand.none
        while !values.isEmpty, isDue || isUpstreamFinished || values.count >= count ?? .max, let downstream,
            demand.take()
        {
            let group: [Input]
            if let count, values.count > count {
                group = Array(values.prefix(count))
                // More than a full array can wait while there is no demand.
                values.removeFirst(count)
            } else {
                group = values
                values = []
            }
            let answer = downstream.receive(group)
            demand.add(answer)
            more += answer
        }
        // The remaining values wait for demand, and the completion follows them.
        if isUpstreamFinished, values.isEmpty { end(with: .finished) }
        return more
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        let outermost = enter()
        defer { exit(outermost) }
        guard hasBegun, ending == nil, !demand.isEnded else { return }
        // Upstream has completed: later requests have no receiver.
        takeUpstream()
        lock.lock()
        // Under the lock, because `startTimer` reads it there to decide whether its timer is still needed.
        ending = completion
        let former = timer
        timer = nil
        lock.unlock()
        former?.cancel()
        // On the scheduler like the arrays, also a failure.
        scheduleEnd(with: completion)
    }

    @usableFromInline
    func scheduleEnd(with completion: Subscribers.Completion<Failure>) {
        scheduler.schedule { [self] in endAsUpstream(with: completion) }
    }

    @usableFromInline
    func endAsUpstream(with completion: Subscribers.Completion<Failure>) {
        let outermost = enter()
        defer { exit(outermost) }
        if demand.isEnded { return }
        guard case .finished = completion else { return complete(completion) }
        isUpstreamFinished = true
        flush(isDue: true)
    }

    @usableFromInline override var description: String { "CollectByTime" }
}
