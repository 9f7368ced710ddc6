import Locking

/// A link that listens to one upstream after another; demand that one has not met goes to the next.
@usableFromInline
class SuccessorConduit<Downstream: Subscriber>: UpstreamConduit {
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
        more.requireSome()
        lock.lock()
        demand.add(more)
        let present = upstream
        lock.unlock()
        present?.request(more)
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
        let link = Conduit.holding(subscription)
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
            letGo()
        }
        exit(outermost)
    }
}
