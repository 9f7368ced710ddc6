/// A link between one upstream and one downstream.
@usableFromInline
class StageConduit<Downstream: Subscriber>: UpstreamConduit {
    /// Used inside the gate, and let go of after the end.
    @exclusivity(unchecked) @usableFromInline final var downstream: Downstream?

    /// Whether the subscription has come; what comes before it does not count. Used inside the gate.
    @exclusivity(unchecked) @usableFromInline final var hasBegun = false

    @inlinable
    init(_ downstream: Downstream, _ respond: @escaping (Conduit, Command) -> Void) {
        self.downstream = downstream
        super.init(respond)
    }

    /// Takes the subscription, tells downstream, and then asks upstream for `demand` values.
    @inlinable
    final func begin(_ subscription: any Subscription, requesting demand: Subscribers.Demand = .none) {
        let outermost = enter()
        if accept(subscription) {
            hasBegun = true
            downstream?.receive(subscription: self)
            // Downstream may have cancelled from inside; then there is no subscription any more.
            if demand.rawValue > 0 { requestUpstream(demand) }
        }
        exit(outermost)
    }

    /// Passes the completion of upstream on.
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
        let former = downstream
        guard demand.end() else { return }
        takeUpstream()?.cancel()
        former?.receive(completion: completion)
        releaseReferences()
    }
}
