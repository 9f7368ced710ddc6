public import Locking

extension Publishers {
    /// A publisher that publishes a value only after a period without newer values.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The period without newer values.
        public let dueTime: Context.SchedulerTimeType.Stride

        /// The scheduler that delivers the values.
        public let scheduler: Context

        /// The scheduler options for each delivery.
        public let options: Context.SchedulerOptions?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
            options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.dueTime = dueTime
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches `subscriber` and requests unlimited demand from upstream.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let scheduler = ResolvedScheduler(scheduler, options: options)
            upstream.receive(subscriber: DebounceConduit<Context, S>(subscriber, scheduler, dueTime).registered())
        }
    }
}

extension Publisher {
    /// Publishes a value, on `scheduler`, only after `dueTime` without newer values.
    ///
    /// A value that is waiting when the stream completes is dropped. Inside a hosted machine, the main queue is
    /// replaced by the session's own scheduler.
    @inlinable
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> {
        Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }
}

/// The conduit behind `debounce`. A value that is due without demand is dropped.
@usableFromInline
final class DebounceConduit<Context: Scheduler, Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @usableFromInline let scheduler: ResolvedScheduler<Context>
    @usableFromInline let dueTime: Context.SchedulerTimeType.Stride
    /// These are guarded by `lock`: the newest value, its number, and its timer.
    @exclusivity(unchecked) @usableFromInline var waiting: Downstream.Input?
    @exclusivity(unchecked) @usableFromInline var number = 0
    @exclusivity(unchecked) @usableFromInline var timer: (any Cancellable)?
    /// The completion that waits for the scheduler. Guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline var ending: Subscribers.Completion<Downstream.Failure>?

    @inlinable
    init(
        _ downstream: Downstream, _ scheduler: ResolvedScheduler<Context>,
        _ dueTime: Context.SchedulerTimeType.Stride
    ) {
        self.scheduler = scheduler
        self.dueTime = dueTime
        super.init(downstream) { unsafeDowncast($0, to: DebounceConduit<Context, Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { "Debounce" }

    @usableFromInline override var customMirror: Mirror {
        let demand = Subscribers.Demand(outstanding: demand.current)
        let value = lock.withLock { waiting }
        return mirror([
            ("downstream", downstream as Any), ("downstreamDemand", demand), ("currentValue", value as Any),
        ])
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            more.requirePositive()
            demand.add(more)
        case .cancel:
            guard demand.end() else { return }
            takeUpstream()?.cancel()
            // The waiting value and its timer are dropped now: the timer would keep the value until it fires.
            dropWaiting()
            releaseReferences()
        case .drainPending:
            if demand.isEnded { downstream = nil }
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        // Values that are superseded within the period are not delivered, so downstream demand says nothing about how many
        // are needed.
        begin(subscription, requesting: .unlimited)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        // No gate here: a value must be able to replace the waiting one while another is being delivered.
        lock.lock()
        // Without an upstream, the subscription has not arrived or the stream has ended.
        if upstream == nil {
            lock.unlock()
            return .none
        }
        let formerValue = waiting
        let formerTimer = timer
        waiting = input
        timer = nil
        // Timers of some schedulers cannot be cancelled. When a superseded timer fires, the number shows that its value
        // was replaced.
        number &+= 1
        let number = number
        lock.unlock()
        // The replaced value is released after unlocking: its deinitializer may call back.
        withExtendedLifetime(formerValue) {}
        // Cancelled outside the lock: a scheduler may run code from inside.
        formerTimer?.cancel()
        // Weak, so that a pending timer does not keep a dropped stream alive.
        let token = scheduler.schedule(after: dueTime) { [weak self] in self?.fire(number) }
        if let token { keep(token, for: number) }
        return .none
    }

    @usableFromInline
    func keep(_ token: any Cancellable, for number: Int) {
        let isCurrent = lock.withLock {
            // The timer may have fired, or a newer value arrived, before `schedule` returned its token.
            guard self.number == number, waiting != nil else { return false }
            timer = token
            return true
        }
        if !isCurrent { token.cancel() }
    }

    @inlinable
    func fire(_ number: Int) {
        let outermost = enter()
        defer { exit(outermost) }
        lock.lock()
        // A newer value, the completion or a cancellation has superseded this timer.
        guard self.number == number, let value = waiting else { return lock.unlock() }
        let formerTimer = timer
        waiting = nil
        timer = nil
        lock.unlock()
        withExtendedLifetime(formerTimer) {}
        // The value is dropped and not kept for a later request: by then it would not be recent.
        guard let downstream, demand.take() else { return }
        demand.add(downstream.receive(value))
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard takeUpstream() != nil else { return }
        dropWaiting()
        lock.withLock { ending = completion }
        // On the scheduler, like the values, and after a delivery that is already queued there.
        scheduler.schedule { self.complete(completion) }
    }

    @usableFromInline
    func dropWaiting() {
        let former = lock.withLock {
            let taken = (waiting, timer)
            waiting = nil
            timer = nil
            number &+= 1
            return taken
        }
        // Outside the lock, like every call to the scheduler; the dropped value is released here, too.
        former.1?.cancel()
    }
}
