public import Locking

/// A subscriber that feeds a ``Published`` property.
// The property retains this subscriber, so the reference back is weak.
@usableFromInline
final class PropertySubscriber<Value>: Subscriber, Cancellable {
    @usableFromInline let lock = WordLock()
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) private var subscription: (any Subscription)?
    @exclusivity(unchecked) private var isOver = false
    private weak let box: PublishedBox<Value>?

    @usableFromInline
    init(_ box: PublishedBox<Value>) {
        self.box = box
    }

    @usableFromInline
    func receive(subscription: any Subscription) {
        let kept = lock.withLock {
            if self.subscription != nil || isOver { return false }
            self.subscription = subscription
            return true
        }
        if kept {
            subscription.request(.unlimited)
        } else {
            subscription.cancel()
        }
    }

    @usableFromInline
    func receive(_ input: Value) -> Subscribers.Demand {
        box?.set(input)
        return .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Never>) {
        withExtendedLifetime(end()) {}
        box?.drop(self)
    }

    @usableFromInline
    func cancel() {
        end()?.cancel()
    }

    private func end() -> (any Subscription)? {
        lock.withLock {
            let taken = subscription
            subscription = nil
            isOver = true
            return taken
        }
    }
}
