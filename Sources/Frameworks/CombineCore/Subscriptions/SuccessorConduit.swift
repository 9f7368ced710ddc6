import Locking

/// A conduit that consumes one upstream after another. Demand that one upstream has not met passes to the next.
@usableFromInline
class SuccessorConduit<Downstream: Subscriber>: RenewingConduit {
    // Used only inside the gate, which makes every access exclusive, and released after the end.
    @exclusivity(unchecked) @usableFromInline final var downstream: Downstream?
    /// Whether downstream has its subscription, in a conduit that subscribes to all its upstreams itself.
    @exclusivity(unchecked) @usableFromInline final var hasBegun = false

    @inlinable
    init(_ downstream: Downstream, _ respond: @escaping (Conduit, Command) -> Void) {
        self.downstream = downstream
        super.init(respond)
    }

    /// Forwards a request to the current upstream. Without one, the demand waits for the next upstream.
    @usableFromInline
    final func request(adding more: Subscribers.Demand) {
        lock.lock()
        // Adding demand and reading the upstream are one step under the lock, as are reading demand and storing the
        // upstream in `proceed(_:)`. Otherwise a request could reach both upstreams or neither.
        demand.add(more)
        let present = upstream
        lock.unlock()
        present?.request(more)
    }

    /// Inside the gate: lets downstream continue with `next` in place of this conduit, if the stack is deep and
    /// downstream can replace its upstream.
    ///
    /// - Returns: Whether downstream continues with `next`. If so, this conduit has ended.
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

    /// Subscribes `subscriber` to `next` in place of the current upstream when the subscription in progress returns.
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

    /// Keeps the subscription of any upstream. Downstream receives one, with the first upstream; the others inherit the unmet demand.
    @inlinable
    final func beginOrProceed(_ subscription: any Subscription) {
        let outermost = enter()
        if hasBegun {
            proceed(subscription)
        } else {
            hasBegun = true
            begin(subscription)
        }
        exit(outermost)
    }

    /// Keeps the subscription of the first upstream and sends this conduit downstream.
    @inlinable
    final func begin(_ subscription: any Subscription) {
        let outermost = enter()
        if accept(subscription) { downstream?.receive(subscription: self) }
        exit(outermost)
    }

    /// Keeps the subscription of a later upstream and requests the outstanding demand.
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
