public import Locking

/// The conduit behind `receive(on:)` and `delay`.
///
/// Events are queued. For each event, the scheduler runs one action, which delivers the oldest event. This keeps the
/// order on a concurrent scheduler, too.
@usableFromInline
final class RelayConduit<Context: Scheduler, Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @usableFromInline typealias Delay = (
        interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride
    )

    @usableFromInline let scheduler: ResolvedScheduler<Context>
    @usableFromInline let delay: Delay?
    /// Guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline var events = Queue<StoredEvent<Input, Failure>>()

    @inlinable
    init(_ downstream: Downstream, _ scheduler: ResolvedScheduler<Context>, delay: Delay?) {
        self.scheduler = scheduler
        self.delay = delay
        if delay != nil { scheduler.adapter?.recordDues() }
        super.init(downstream) { unsafeDowncast($0, to: RelayConduit<Context, Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { delay == nil ? "ReceiveOn" : "Delay" }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        // Demand is not counted: each event that upstream delivers is delivered downstream once.
        case .request(let more): requestUpstream(more)
        case .cancel: endAndCancel()
        case .drainPending:
            guard demand.isEnded else { return }
            let formerDownstream = downstream
            downstream = nil
            // Released after the lock: the deinitializer of a queued value may call back.
            let formerEvents = lock.withLock {
                let taken = events
                events = Queue()
                return taken
            }
            withExtendedLifetime((formerDownstream, formerEvents)) {}
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        begin(subscription)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        // No gate: the upstream thread must not wait for a delivery on the scheduler's thread.
        lock.lock()
        // Without an upstream, the subscription has not arrived or the stream has ended. Combine drops the value, too.
        guard upstream != nil else {
            lock.unlock()
            return .none
        }
        // Queued before it is scheduled, so that each action finds an event. The action carries none: on a concurrent
        // scheduler, whichever runs first delivers the oldest.
        events.append(.value(input))
        lock.unlock()
        schedule()
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        lock.lock()
        // Upstream has completed. Dropped now, because the delivery of the completion can be much later.
        let former = upstream
        upstream = nil
        // Without unlocking: a cancellation in between would empty the queue first, and this event would remain in it.
        if former != nil { events.append(.completion(completion)) }
        lock.unlock()
        if former != nil { schedule() }
        withExtendedLifetime(former) {}
    }

    /// Schedules the delivery of the oldest event.
    @inlinable
    @inline(__always)
    func schedule() {
        if let delay {
            scheduler.schedule(after: delay.interval, tolerance: delay.tolerance) { self.deliverOldest() }
        } else {
            scheduler.schedule { self.deliverOldest() }
        }
    }

    @inlinable
    func deliverOldest() {
        let outermost = enter()
        defer { exit(outermost) }
        guard !demand.isEnded, let downstream else { return }
        lock.lock()
        // Inside the gate, so that two threads cannot take events in one order and deliver them in the other.
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
}
