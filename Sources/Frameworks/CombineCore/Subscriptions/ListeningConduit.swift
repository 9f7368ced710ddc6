import Locking

/// A conduit that waits for one value of another publisher in addition to its upstream.
@usableFromInline
class ListeningConduit<Downstream: Subscriber>: StageConduit<Downstream> {
    // The subscription to the other publisher. Guarded by `lock`. It is kept until this conduit or the other publisher
    // ends, so that it can be cancelled: a long-lived subject would otherwise hold a dead conduit for every stream that
    // it has ended.
    @exclusivity(unchecked) @usableFromInline final var other: (any Subscription)?

    @inlinable
    override init(_ downstream: Downstream, _ respond: @escaping (Conduit, Command) -> Void) {
        super.init(downstream, respond)
    }

    /// Keeps the subscription to the other publisher and requests one value. Cancels a second subscription, and one
    /// that arrives after the end.
    @usableFromInline
    final func receive(other subscription: any Subscription) {
        let isKept = lock.withLock {
            guard other == nil, !demand.isEnded else { return false }
            other = subscription
            return true
        }
        if isKept {
            subscription.request(.max(1))
        } else {
            subscription.cancel()
        }
    }

    /// Removes the subscription to the other publisher and returns it to the first caller.
    @usableFromInline
    final func takeOther() -> (any Subscription)? {
        lock.withLock {
            let taken = other
            other = nil
            return taken
        }
    }

    /// Ends without a completion and cancels both subscriptions.
    @inlinable
    final func cancelBoth() {
        guard demand.end() else { return }
        takeUpstream()?.cancel()
        takeOther()?.cancel()
        releaseReferences()
    }
}
