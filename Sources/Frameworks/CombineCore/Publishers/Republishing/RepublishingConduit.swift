import Locking
public import StateCapture

/// The subscriber of one of the publishers that a ``RepublishingConduit`` subscribes to.
@usableFromInline
protocol RepublishedChild: AnyObject {
    /// Guarded by the conduit's lock.
    var subscription: Conduit? { get set }
}

/// A conduit that subscribes to the publishers that upstream yields, and defers that where the stack is deep.
///
/// The common part of `flatMap` and `switchToLatest`.
@usableFromInline
class RepublishingConduit<Downstream: Subscriber>: RenewingConduit {
    /// Accessed inside the gate, and released after the end.
    @exclusivity(unchecked) @usableFromInline final var downstream: Downstream?
    /// Whether the call that subscribes to upstream may still be in progress. Only then can the conduit be part of a
    /// stream that keeps subscribing to itself, so only then are nested subscriptions counted. Accessed inside the gate.
    @exclusivity(unchecked) @usableFromInline final var isStarting = true
    /// Accessed inside the gate.
    @exclusivity(unchecked) @usableFromInline final var isUpstreamFinished = false

    @inlinable
    init(_ downstream: Downstream, _ respond: @escaping (Conduit, Command) -> Void) {
        self.downstream = downstream
        super.init(respond)
    }

    /// Ends the starting phase: the call that subscribed to upstream has returned.
    @inlinable
    final func endStarting() {
        // The publishers of values that arrive in the whole wiring are subscribed to outside of the registry.
        if let registry = StateRegistry.current { return registry.afterWiring { self.endStartingNow() } }
        endStartingNow()
    }

    @usableFromInline
    final func endStartingNow() {
        // If another thread is delivering, it keeps counting: waiting for the gate here could block on that delivery,
        // and counting costs a little time only.
        let passage = gate.enterOrMark()
        // The mark causes that thread to check for pending work. No work is pending, so the check is harmless.
        if passage == .refused { return }
        isStarting = false
        exit(passage == .outermost)
    }

    /// Defers `task` until a subscription that this conduit is making on this thread has returned, or one further
    /// downstream.
    ///
    /// - Returns: Whether there is such a subscription.
    @usableFromInline
    final func postpone(_ task: @escaping () -> Void) -> Bool {
        postponeIfSubscribing(task) || postponeDownstream(task)
    }

    /// Defers `task` until a subscription that a conduit further downstream is making on this thread has returned.
    ///
    /// - Returns: Whether there is such a subscription.
    final func postponeDownstream(_ task: @escaping () -> Void) -> Bool {
        downstream.flatMap { Nesting.replaceable($0) }?.postpone(task) == true
    }

    /// Lets downstream subscribe to `next` directly, in place of this conduit.
    ///
    /// - Returns: Whether downstream accepted `next`. If so, this conduit has nothing left to do.
    final func replaceSelf<P: Publisher>(with next: P) -> Bool
    where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
        guard let downstream else { return false }
        return Nesting.replaceable(downstream)?.replaceUpstream(with: AnyPublisher(next)) == true
    }

    /// Cancels upstream and all children, and releases what the conduit holds.
    @usableFromInline
    func cancelAll() {
        preconditionFailure("expected an override of cancelAll()")
    }

    /// Ends the conduit and cancels upstream and all children.
    ///
    /// - Returns: Whether this call ended it.
    @usableFromInline
    @discardableResult
    final func endAll() -> Bool {
        guard demand.end() else { return false }
        cancelAll()
        return true
    }

    /// Ends the conduit with a completion. Runs inside the gate.
    @usableFromInline
    final func end(with completion: Subscribers.Completion<Downstream.Failure>) {
        // Ending releases `downstream`, so the reference for the completion is taken first.
        let former = downstream
        if endAll() { former?.receive(completion: completion) }
    }

    /// Leaves the gate, and ends the conduit with a failure.
    @usableFromInline
    final func leave(_ outermost: Bool, endingWith completion: Subscribers.Completion<Downstream.Failure>) {
        leave(outermost) { [former = downstream] in
            cancelAll()
            former?.receive(completion: completion)
        }
    }

    /// Replaces the publisher that `child` is subscribed to with `next`.
    ///
    /// - Returns: Whether `next` was accepted.
    final func replaceUpstream<Child: Subscriber & RepublishedChild>(of child: Child, with next: Any) -> Bool {
        // Passed as `Any`: the requirement cannot name the types of both conduits.
        guard let next = next as? AnyPublisher<Child.Input, Child.Failure> else { return false }
        return postponeIfSubscribing {
            let former = self.lock.withLock {
                let taken = child.subscription
                child.subscription = nil
                return taken
            }
            // The former subscription is released after unlocking: its deinitializer may call back.
            withExtendedLifetime(former) {}
            next.receive(subscriber: child)
        }
    }
}
