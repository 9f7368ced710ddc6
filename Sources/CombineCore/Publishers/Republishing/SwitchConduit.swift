public import Locking

/// The link behind `switchToLatest`. Demand that the former publisher has not met goes to the next.
@usableFromInline
final class SwitchConduit<P: Publisher, Downstream: Subscriber>: RenewingConduit, Subscriber
where Downstream.Input == P.Output, Downstream.Failure == P.Failure {
    @usableFromInline typealias Input = P
    @usableFromInline typealias Failure = P.Failure
    @usableFromInline typealias Child = SwitchChild<P, Downstream>

    /// These are used inside the gate; the reference downstream is let go of after the end.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    /// Whether the call that subscribes to upstream may still be in progress: only then can this link be part of a stream
    /// that subscribes to itself again and again, so only then nested subscriptions are counted. Used inside the gate.
    @exclusivity(unchecked) @usableFromInline var isStarting = true
    @exclusivity(unchecked) @usableFromInline var isUpstreamFinished = false
    /// How many publishers wait until the stack is less deep.
    @exclusivity(unchecked) @usableFromInline var waitingPublishers = 0
    /// Guarded by `lock`, as is its subscription.
    @exclusivity(unchecked) @usableFromInline var latest: Child?

    @inlinable
    init(_ downstream: Downstream) {
        self.downstream = downstream
        super.init { unsafeDowncast($0, to: SwitchConduit<P, Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { "SwitchToLatest" }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            more.requirePositive()
            lock.lock()
            demand.add(more)
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
    func receive(subscription: any Subscription) {
        let outermost = enter()
        if accept(subscription) {
            downstream?.receive(subscription: self)
            requestUpstream(.unlimited)
        }
        exit(outermost)
    }

    @inlinable
    func receive(_ input: P) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        if isStarting {
            changeWhileStarting(to: input)
        } else if let child = change() {
            input.receive(subscriber: child)
        }
        return .none
    }

    /// Inside the gate: cancels the former publisher.
    ///
    /// - Returns: The subscriber for the next one, unless the link has ended.
    @inlinable
    func change() -> Child? {
        let child = Child(self)
        lock.lock()
        guard !demand.isEnded else {
            lock.unlock()
            return nil
        }
        let former = latest
        latest = child
        let subscription = former?.subscription
        former?.subscription = nil
        lock.unlock()
        subscription?.cancel()
        return child
    }

    /// Where the stack is deep, a link further downstream that is subscribing on this thread goes on with this.
    @usableFromInline
    func changeWhileStarting(to input: P) {
        let counters = Nesting.counters
        if counters.pointee.subscriptions >= Nesting.limit || waitingPublishers > 0 {
            waitingPublishers += 1
            if postpone({ self.start(with: input) }) { return }
            waitingPublishers -= 1
        }
        if let child = change() { subscribe(child, to: input, counters) }
    }

    /// Does what was put off. If nothing but this publisher is left, downstream goes on with it in place of this link.
    private func start(with input: P) {
        let outermost = enter()
        defer { exit(outermost) }
        waitingPublishers -= 1
        if demand.isEnded { return }
        if isUpstreamFinished, waitingPublishers == 0, let downstream,
            Nesting.replaceable(downstream)?.replaceUpstream(with: AnyPublisher(input)) == true
        {
            endAll()
        } else if let child = change() {
            subscribe(child, to: input, Nesting.counters)
        }
    }

    /// The call that subscribed to upstream has returned.
    @inlinable
    func endStarting() {
        // If another thread is delivering, it may go on counting.
        let passage = gate.enterOrMark()
        if passage == .refused { return }
        isStarting = false
        exit(passage == .outermost)
    }

    @usableFromInline
    func postpone(_ task: @escaping () -> Void) -> Bool {
        postponeIfSubscribing(task) || downstream.flatMap { Nesting.replaceable($0) }?.postpone(task) == true
    }

    /// Lets `child` go on with `next` in place of what it listens to, if it is the latest.
    @usableFromInline
    func replaceUpstream(of child: Child, with next: Any) -> Bool {
        guard let next = next as? AnyPublisher<P.Output, P.Failure> else { return false }
        return postponeIfSubscribing {
            let former = self.lock.withLock {
                let taken = child.subscription
                child.subscription = nil
                return taken
            }
            withExtendedLifetime(former) {}
            next.receive(subscriber: child)
        }
    }

    @inlinable
    func receive(completion: Subscribers.Completion<P.Failure>) {
        let outermost = enter()
        takeUpstream()
        switch completion {
        case .finished:
            isUpstreamFinished = true
            if waitingPublishers == 0, lock.withLock({ latest == nil }) { end(with: .finished) }
        case .failure: end(with: completion)
        }
        exit(outermost)
    }

    @inlinable
    func accept(_ subscription: any Subscription, from child: Child) {
        let link = Conduit.wrapping(subscription)
        lock.lock()
        let current = demand.current
        guard current >= 0, latest === child, child.subscription == nil else {
            lock.unlock()
            return subscription.cancel()
        }
        child.subscription = link
        lock.unlock()
        if current > 0 { subscription.request(Subscribers.Demand(outstanding: current)) }
    }

    @inlinable
    func receive(_ value: P.Output, from child: Child) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard let downstream, lock.withLock({ latest === child }), demand.take() else { return .none }
        let more = downstream.receive(value)
        guard more.rawValue > 0 else { return .none }
        lock.lock()
        demand.add(more)
        let successor = latest === child ? nil : latest?.subscription
        let isLatest = latest === child
        lock.unlock()
        successor?.request(more)
        return isLatest ? more : .none
    }

    @inlinable
    func receive(_ completion: Subscribers.Completion<P.Failure>, from child: Child) {
        let outermost = enter()
        defer { exit(outermost) }
        lock.lock()
        let isLatest = latest === child
        if isLatest { latest = nil }
        let subscription = child.subscription
        child.subscription = nil
        lock.unlock()
        withExtendedLifetime(subscription) {}
        guard isLatest else { return }
        switch completion {
        case .finished:
            if isUpstreamFinished, waitingPublishers == 0 { end(with: .finished) }
        case .failure: end(with: completion)
        }
    }

    @usableFromInline
    func end(with completion: Subscribers.Completion<P.Failure>) {
        let former = downstream
        if endAll() { former?.receive(completion: completion) }
    }

    @usableFromInline
    @discardableResult
    func endAll() -> Bool {
        guard demand.end() else { return false }
        takeUpstream()?.cancel()
        lock.lock()
        let subscription = latest?.subscription
        latest?.subscription = nil
        let former = latest
        latest = nil
        lock.unlock()
        subscription?.cancel()
        withExtendedLifetime(former) {}
        releaseReferences()
        return true
    }
}

/// The subscriber of one of the publishers that `switchToLatest` listens to.
@usableFromInline
final class SwitchChild<P: Publisher, Downstream: Subscriber>: Subscriber, DescribedSubscriber, ReplaceableSubscriber
where Downstream.Input == P.Output, Downstream.Failure == P.Failure {
    @usableFromInline typealias Input = P.Output
    @usableFromInline typealias Failure = P.Failure

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
