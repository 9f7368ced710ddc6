public import StateCapture

/// A subscriber before one at the edge of a machine's graph, such as `sink`, while the machine is wired from stored
/// state. It ignores what arrives before the machine is wired: that belongs to the first life of the machine.
// A subscriber of its own, which only restored machines have: a check in `sink` would be a cost of each value.
@usableFromInline
final class WiringFilter<Downstream: Subscriber & Cancellable>: Subscriber, DescribedSubscriber {
    private let downstream: Downstream
    // Used on the session's loop, and by the threads of sources that it starts after the wiring.
    @exclusivity(unchecked) private var isOpen = false

    @usableFromInline
    init(_ downstream: Downstream, _ registry: StateRegistry) {
        self.downstream = downstream
        registry.afterWiring(order: -1) { [weak self] in self?.isOpen = true }
    }

    @usableFromInline var description: String { String(describing: downstream) }

    @usableFromInline
    func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
    }

    @usableFromInline
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        // An ignored value does not use up demand.
        isOpen ? downstream.receive(input) : .max(1)
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        // A completion was processed in the first life. It only ends the subscription.
        if isOpen { downstream.receive(completion: completion) } else { downstream.cancel() }
    }
}

extension Publisher {
    /// Attaches a subscriber at the edge of a machine's graph.
    @inlinable
    @inline(__always)
    func attach<Edge: Subscriber & Cancellable>(_ edge: Edge) where Edge.Input == Output, Edge.Failure == Failure {
        if StateRegistry.isWiring { return attachWhileWiring(edge) }
        receive(subscriber: edge)
    }

    /// Attaches a subscriber at the edge of a machine that is being wired.
    // Inlinable, so that the code of a session is specialized for the whole chain, too; and never inlined, so that the code of
    // other subscriptions contains no more than a branch.
    @inlinable
    @inline(never)
    func attachWhileWiring<Edge: Subscriber & Cancellable>(_ edge: Edge)
    where Edge.Input == Output, Edge.Failure == Failure {
        if !attachWhileRestoring(edge) { receive(subscriber: edge) }
    }

    /// Registers a subscriber at the edge of a machine that is being wired, and attaches it if the machine is restored.
    ///
    /// - Returns: Whether the machine is restored. If not, the caller attaches the subscriber.
    @usableFromInline
    func attachWhileRestoring<Edge: Subscriber & Cancellable>(_ edge: Edge) -> Bool
    where Edge.Input == Output, Edge.Failure == Failure {
        guard let registry = StateRegistry.current else { return false }
        if let part = edge as? any StatefulPart { registry.register(part) }
        guard registry.isRestoring else { return false }
        receive(subscriber: WiringFilter(edge, registry))
        return true
    }
}
