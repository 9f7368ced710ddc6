import Locking

/// A link that listens to another publisher beside its upstream, for one value of that.
@usableFromInline
class ListeningConduit<Downstream: Subscriber>: StageConduit<Downstream> {
    /// The subscription of the other publisher. Guarded by `lock`; kept until the link ends or the other publisher does,
    /// so that it can be cancelled.
    @exclusivity(unchecked) @usableFromInline final var other: (any Subscription)?

    @inlinable
    override init(_ downstream: Downstream, _ respond: @escaping (Conduit, Command) -> Void) {
        super.init(downstream, respond)
    }

    /// Takes the subscription of the other publisher and asks it for one value. A second one is cancelled, and one that
    /// comes after the end.
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

    /// Gives up the subscription of the other publisher, to whoever asks first.
    @usableFromInline
    final func takeOther() -> (any Subscription)? {
        lock.withLock {
            let taken = other
            other = nil
            return taken
        }
    }

    /// Ends without a completion: both subscriptions are cancelled.
    @inlinable
    final func cancelBoth() {
        guard demand.end() else { return }
        takeUpstream()?.cancel()
        takeOther()?.cancel()
        releaseReferences()
    }
}
