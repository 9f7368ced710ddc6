/// A conduit between one upstream and one downstream.
@usableFromInline
class StageConduit<Downstream: Subscriber>: UpstreamConduit {
    // Used only inside the gate, which makes every access exclusive, and released after the end.
    @exclusivity(unchecked) @usableFromInline final var downstream: Downstream?

    // Whether downstream has received its subscription. Signals from upstream before that are ignored, because a
    // subscriber must receive its subscription first. Used only inside the gate.
    @exclusivity(unchecked) @usableFromInline final var hasBegun = false

    @inlinable
    init(_ downstream: Downstream, _ respond: @escaping (Conduit, Command) -> Void) {
        self.downstream = downstream
        super.init(respond)
    }

    /// Responds to a command as a conduit does that counts no demand and holds nothing but its upstream and downstream.
    @inlinable
    final func forward(_ command: Command) {
        switch command {
        case .request(let more): requestUpstream(more)
        case .cancel: endAndCancel()
        case .drainPending:
            if demand.isEnded { downstream = nil }
        }
    }

    /// Keeps the subscription, sends this conduit downstream, and then requests `demand` values from upstream.
    @inlinable
    final func begin(_ subscription: any Subscription, requesting demand: Subscribers.Demand = .none) {
        let outermost = enter()
        if accept(subscription) {
            hasBegun = true
            downstream?.receive(subscription: self)
            // Downstream may have cancelled from inside the call. Then the subscription has been removed, and this
            // requests nothing.
            if demand.rawValue > 0 { requestUpstream(demand) }
        }
        exit(outermost)
    }

    /// Forwards the completion of upstream.
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

    /// Inside the gate: cancels upstream and completes downstream.
    @inlinable
    final func end(with completion: Subscribers.Completion<Downstream.Failure>) {
        // Read before the conduit ends: afterwards, the reference may be released whenever no thread is inside the
        // gate.
        let former = downstream
        guard demand.end() else { return }
        takeUpstream()?.cancel()
        former?.receive(completion: completion)
        releaseReferences()
    }
}
