public import Locking

/// A ``Subscribers/Sink`` for streams that cannot fail, when nobody wants to know about the end.
///
/// It is what `sink(receiveValue:)` attaches: one closure less to hold in every subscription.
@usableFromInline
final class ValueSink<Input>: Subscriber, Cancellable, DescribedSubscriber {
    @usableFromInline typealias Failure = Never

    @usableFromInline let lock = WordLock()
    /// These are guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline var onValue: ((Input) -> Void)?
    @exclusivity(unchecked) @usableFromInline var subscription: Conduit?

    @inlinable
    init(_ onValue: @escaping (Input) -> Void) {
        self.onValue = onValue
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    /// Asks for everything; cancels a second subscription and one that comes after the end.
    @inlinable
    func receive(subscription: any Subscription) {
        let link = Conduit.wrapping(subscription)
        lock.lock()
        if self.subscription != nil || onValue == nil {
            lock.unlock()
            return subscription.cancel()
        }
        self.subscription = link
        lock.unlock()
        link.request(.unlimited)
    }

    @inlinable
    func receive(_ value: Input) -> Subscribers.Demand {
        lock.lock()
        let onValue = onValue
        lock.unlock()
        onValue?(value)
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Never>) {
        withExtendedLifetime(takeAll()) {}
    }

    @inlinable
    func cancel() {
        takeAll().subscription?.cancel()
    }

    /// Takes everything out, to be dropped when no lock is held.
    @inlinable
    func takeAll() -> (onValue: ((Input) -> Void)?, subscription: Conduit?) {
        lock.lock()
        let taken = (onValue, subscription)
        onValue = nil
        subscription = nil
        lock.unlock()
        return taken
    }

    @usableFromInline var description: String { "Sink" }
}
