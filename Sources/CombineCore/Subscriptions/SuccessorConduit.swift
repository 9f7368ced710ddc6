import Locking

/// A link that listens to one upstream after another; demand that one has not met goes to the next.
@usableFromInline
class SuccessorConduit<Downstream: Subscriber>: RenewingConduit {
    /// Used inside the gate, and let go of after the end.
    @exclusivity(unchecked) @usableFromInline final var downstream: Downstream?

    @inlinable
    init(_ downstream: Downstream, _ respond: @escaping (Conduit, Command) -> Void) {
        self.downstream = downstream
        super.init(respond)
    }

    /// Passes a request on to the present upstream; without one it waits for the next.
    @usableFromInline
    final func request(adding more: Subscribers.Demand) {
        lock.lock()
        demand.add(more)
        let present = upstream
        lock.unlock()
        present?.request(more)
    }

    /// Inside the gate: lets downstream go on with `next` in place of this link, if the stack is deep and it is able to.
    ///
    /// - Returns: Whether it does; then this link is over.
    @inlinable
    final func transferDownstream<P: Publisher>(to next: P) -> Bool {
        guard Nesting.counters.pointee.subscriptions >= Nesting.limit, let downstream, !demand.isEnded,
            Nesting.replaceable(downstream)?.replaceUpstream(with: AnyPublisher(next)) == true
        else { return false }
        if demand.end() {
            takeUpstream()
            releaseReferences()
        }
        return true
    }

    /// Subscribes to `next` with `subscriber` in place of the present upstream, when the subscription in progress returns.
    @inlinable
    final func replaceUpstream<S: Subscriber>(of subscriber: S, with next: Any) -> Bool {
        guard let next = next as? AnyPublisher<S.Input, S.Failure> else { return false }
        return postponeIfSubscribing {
            self.takeUpstream()
            next.receive(subscriber: subscriber)
        }
    }

    @usableFromInline
    final func postpone(_ task: @escaping () -> Void) -> Bool {
        postponeIfSubscribing(task) || downstream.flatMap { Nesting.replaceable($0) }?.postpone(task) == true
    }

    /// Takes the subscription of the first upstream and tells downstream.
    @inlinable
    final func begin(_ subscription: any Subscription) {
        let outermost = enter()
        if accept(subscription) { downstream?.receive(subscription: self) }
        exit(outermost)
    }

    /// Takes the subscription of a later upstream and asks it for what is still wanted.
    @usableFromInline
    final func proceed(_ subscription: any Subscription) {
        let link = Conduit.wrapping(subscription)
        lock.lock()
        let wanted = demand.current
        if wanted >= 0, upstream == nil {
            upstream = link
            lock.unlock()
            if wanted > 0 { subscription.request(Subscribers.Demand(outstanding: wanted)) }
        } else {
            lock.unlock()
            subscription.cancel()
        }
    }

    @inlinable
    final func pass(_ value: Downstream.Input) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard let downstream, demand.take() else { return .none }
        let more = downstream.receive(value)
        demand.add(more)
        return more
    }

    @inlinable
    final func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
        let outermost = enter()
        if demand.end() {
            takeUpstream()
            downstream?.receive(completion: completion)
            releaseReferences()
        }
        exit(outermost)
    }
}
