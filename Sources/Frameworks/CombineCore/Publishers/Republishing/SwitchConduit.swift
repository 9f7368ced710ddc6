public import Locking
import StateCapture

/// The conduit behind `switchToLatest`. Demand that one publisher leaves unmet is requested from the next.
@usableFromInline
final class SwitchConduit<P: Publisher, Downstream: Subscriber>: RepublishingConduit<Downstream>, Subscriber
where Downstream.Input == P.Output, Downstream.Failure == P.Failure {
    @usableFromInline typealias Child = SwitchChild<P, Downstream>

    /// The number of publishers whose subscription is deferred until the stack is less deep.
    /// Accessed inside the gate.
    @exclusivity(unchecked) @usableFromInline var waitingPublishers = 0
    /// The subscriber of the latest publisher. Guarded by `lock`, as is its subscription.
    @exclusivity(unchecked) @usableFromInline var latest: Child?

    @inlinable
    init(_ downstream: Downstream) {
        super.init(downstream) { unsafeDowncast($0, to: SwitchConduit<P, Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { "SwitchToLatest" }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            more.requirePositive()
            lock.lock()
            demand.add(more)
            // Read together with the demand: a child that is replaced meanwhile takes the whole demand with its own
            // subscription.
            let subscription = latest?.subscription
            lock.unlock()
            subscription?.request(more)
        case .cancel: endAll()
        case .drainPending:
            guard demand.isEnded else { return }
            downstream = nil
            postponed = []
        }
    }

    @inlinable
    func open() {
        let outermost = enter()
        downstream?.receive(subscription: self)
        exit(outermost)
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let outermost = enter()
        // Each publisher replaces the previous one, so demand for values says nothing about the number of publishers.
        if accept(subscription) { requestUpstream(.unlimited) }
        exit(outermost)
    }

    @inlinable
    func receive(_ input: P) -> Subscribers.Demand {
        let outermost = enter()
        if isStarting {
            changeWhileStarting(to: input)
            exit(outermost)
            return .none
        }
        let (child, former) = replaceLatest()
        // Before the cancellation and the subscription: either may wait for a lock whose owner sends a value to a child.
        exit(outermost)
        former?.cancel()
        if let child { input.receive(subscriber: child) }
        return .none
    }

    /// Cancels the previous publisher. Runs inside the gate.
    ///
    /// - Returns: The subscriber for the next one; nil if the conduit has ended.
    @usableFromInline
    func change() -> Child? {
        let (child, former) = replaceLatest()
        // The previous publisher is cancelled before the next one is subscribed, as in Combine.
        former?.cancel()
        return child
    }

    /// Makes the subscriber for the next publisher the latest one. Runs inside the gate.
    ///
    /// - Returns: The subscriber, nil if the conduit has ended; and the subscription of the previous one, which must be cancelled first.
    @inlinable
    func replaceLatest() -> (child: Child?, former: Conduit?) {
        let child = Child(self)
        lock.lock()
        guard !demand.isEnded else {
            lock.unlock()
            return (nil, nil)
        }
        let former = latest
        latest = child
        let subscription = former?.subscription
        // Cleared under the lock, so that a completion of the previous child and this cancellation cannot both take it.
        former?.subscription = nil
        lock.unlock()
        return (child, subscription)
    }

    /// Subscribes now, or, where the stack is deep, after a conduit further downstream has finished subscribing on this
    /// thread.
    @usableFromInline
    func changeWhileStarting(to input: P) {
        if StateRegistry.current != nil {
            return StateRegistry.withoutRegistry { changeWhileStarting(to: input) }
        }
        let counters = Nesting.counters
        // Behind a deferred publisher, later ones are deferred, too: a newer publisher must not be replaced by an older
        // one.
        if counters.pointee.subscriptions >= Nesting.limit || waitingPublishers > 0 {
            waitingPublishers += 1
            if postpone({ self.start(with: input) }) { return }
            // No conduit further downstream could take the task, so it runs on this stack.
            waitingPublishers -= 1
        }
        if let child = change() { subscribe(child, to: input, counters) }
    }

    /// Runs a deferred subscription. If this publisher is the only one left, downstream subscribes to it directly and
    /// this conduit ends.
    private func start(with input: P) {
        let outermost = enter()
        defer { exit(outermost) }
        waitingPublishers -= 1
        if demand.isEnded { return }
        if isUpstreamFinished, waitingPublishers == 0, replaceSelf(with: input) {
            endAll()
        } else if let child = change() {
            subscribe(child, to: input, Nesting.counters)
        }
    }

    @inlinable
    func receive(completion: Subscribers.Completion<P.Failure>) {
        let outermost = enter()
        takeUpstream()
        switch completion {
        case .finished:
            isUpstreamFinished = true
            // A deferred publisher has yet to deliver its values, although there is currently no latest one.
            if waitingPublishers == 0, lock.withLock({ latest == nil }) { end(with: .finished) }
            exit(outermost)
        case .failure: leave(outermost, endingWith: completion)
        }
    }

    @inlinable
    func accept(_ subscription: any Subscription, from child: Child) {
        let link = Conduit.wrapping(subscription)
        lock.lock()
        let current = demand.current
        // A child that was replaced before its subscription arrived must not start.
        guard current >= 0, latest === child, child.subscription == nil else {
            lock.unlock()
            return subscription.cancel()
        }
        child.subscription = link
        lock.unlock()
        // The unmet demand of the former publisher; requesting none would trap in some publishers.
        if current > 0 { subscription.request(Subscribers.Demand(outstanding: current)) }
    }

    @inlinable
    func receive(_ value: P.Output, from child: Child) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        // The lock makes the check reliable against a change on another thread; the demand is taken only for a value
        // that is delivered.
        guard let downstream, lock.withLock({ latest === child }), demand.take() else { return .none }
        let more = downstream.receive(value)
        guard more.rawValue > 0 else { return .none }
        lock.lock()
        demand.add(more)
        // Downstream's delivery may have made upstream switch. The returned demand then belongs to the successor, whose
        // first request did not contain it.
        let successor = latest === child ? nil : latest?.subscription
        let isLatest = latest === child
        lock.unlock()
        successor?.request(more)
        return isLatest ? more : .none
    }

    @inlinable
    func receive(_ completion: Subscribers.Completion<P.Failure>, from child: Child) {
        let outermost = enter()
        lock.lock()
        let isLatest = latest === child
        // A completion of a replaced publisher says nothing about the stream.
        if isLatest { latest = nil }
        let subscription = child.subscription
        child.subscription = nil
        lock.unlock()
        withExtendedLifetime(subscription) {}
        if isLatest, case .failure = completion { return leave(outermost, endingWith: completion) }
        if isLatest, isUpstreamFinished, waitingPublishers == 0 { end(with: .finished) }
        exit(outermost)
    }

    @usableFromInline
    override func cancelAll() {
        lock.lock()
        let subscription = latest?.subscription
        latest?.subscription = nil
        // Held until the lock is released: the child's deinitializer must not run under it.
        let former = latest
        latest = nil
        lock.unlock()
        // The latest publisher before upstream, as in Combine.
        subscription?.cancel()
        withExtendedLifetime(former) {}
        takeUpstream()?.cancel()
        releaseReferences()
    }
}

/// The subscriber of one publisher that `switchToLatest` has received.
@usableFromInline
final class SwitchChild<P: Publisher, Downstream: Subscriber>: Subscriber, DescribedSubscriber, ReplaceableSubscriber,
    RepublishedChild
where Downstream.Input == P.Output, Downstream.Failure == P.Failure {
    @usableFromInline let parent: SwitchConduit<P, Downstream>
    /// Guarded by the parent's lock.
    @exclusivity(unchecked) @usableFromInline var subscription: Conduit?

    @usableFromInline var description: String { parent.description }

    @usableFromInline var customMirror: Mirror {
        Mirror(self, children: ["parentSubscription": parent.combineIdentifier])
    }

    @inlinable
    init(_ parent: SwitchConduit<P, Downstream>) {
        self.parent = parent
    }

    @inlinable
    func receive(subscription: any Subscription) {
        parent.accept(subscription, from: self)
    }

    @inlinable
    func receive(_ input: P.Output) -> Subscribers.Demand {
        parent.receive(input, from: self)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<P.Failure>) {
        parent.receive(completion, from: self)
    }

    @usableFromInline
    func replaceUpstream(with next: Any) -> Bool {
        parent.replaceUpstream(of: self, with: next)
    }

    @usableFromInline
    func postpone(_ task: @escaping () -> Void) -> Bool {
        parent.postpone(task)
    }
}
