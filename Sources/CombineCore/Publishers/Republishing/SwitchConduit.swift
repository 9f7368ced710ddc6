public import Locking

/// The link behind `switchToLatest`. Demand that the former publisher has not met goes to the next.
@usableFromInline
final class SwitchConduit<P: Publisher, Downstream: Subscriber>: UpstreamConduit, Subscriber
where Downstream.Input == P.Output, Downstream.Failure == P.Failure {
    @usableFromInline typealias Input = P
    @usableFromInline typealias Failure = P.Failure
    @usableFromInline typealias Child = SwitchChild<P, Downstream>

    /// These are used inside the gate; the reference downstream is let go of after the end.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    @exclusivity(unchecked) @usableFromInline var isUpstreamFinished = false
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
            more.requireSome()
            lock.lock()
            demand.add(more)
            let subscription = latest?.subscription
            lock.unlock()
            subscription?.request(more)
        case .cancel: endAll()
        case .attend:
            if demand.isEnded { downstream = nil }
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
        let child = Child(self)
        lock.lock()
        guard !demand.isEnded else {
            lock.unlock()
            return .none
        }
        let former = latest
        latest = child
        let subscription = former?.subscription
        former?.subscription = nil
        lock.unlock()
        subscription?.cancel()
        input.receive(subscriber: child)
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<P.Failure>) {
        let outermost = enter()
        takeUpstream()
        switch completion {
        case .finished:
            isUpstreamFinished = true
            if lock.withLock({ latest == nil }) { end(with: .finished) }
        case .failure: end(with: completion)
        }
        exit(outermost)
    }

    @inlinable
    func accept(_ subscription: any Subscription, from child: Child) {
        let link = Conduit.holding(subscription)
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
            if isUpstreamFinished { end(with: .finished) }
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
        letGo()
        return true
    }
}

/// The subscriber of one of the publishers that `switchToLatest` listens to.
@usableFromInline
final class SwitchChild<P: Publisher, Downstream: Subscriber>: Subscriber, DescribedSubscriber
where Downstream.Input == P.Output, Downstream.Failure == P.Failure {
    @usableFromInline typealias Input = P.Output
    @usableFromInline typealias Failure = P.Failure

    @usableFromInline let parent: SwitchConduit<P, Downstream>
    /// Guarded by the parent's lock.
    @exclusivity(unchecked) @usableFromInline var subscription: Conduit?

    @usableFromInline var description: String { parent.description }

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
}
