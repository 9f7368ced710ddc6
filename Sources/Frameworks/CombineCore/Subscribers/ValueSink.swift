public import Locking

/// A ``Subscribers/Sink`` for streams that cannot fail, without a closure for the completion.
///
/// `sink(receiveValue:)` attaches it: every subscription stores one closure less.
@usableFromInline
final class ValueSink<Input>: Subscriber, Cancellable, DescribedSubscriber {
    @usableFromInline let lock = WordLock()
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline var onValue: ValueClosure<Input>?
    @exclusivity(unchecked) @usableFromInline var subscription: Conduit?

    @inlinable
    init(_ onValue: @escaping (Input) -> Void) {
        self.onValue = ValueClosure(call: onValue)
    }

    /// Requests unlimited values. Cancels a second subscription, and one that arrives after the end.
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
        onValue?.call(value)
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

    /// Removes and returns all references, so that the caller can release them when no lock is held.
    @inlinable
    func takeAll() -> (onValue: ValueClosure<Input>?, subscription: Conduit?) {
        lock.lock()
        let taken = (onValue, subscription)
        onValue = nil
        subscription = nil
        lock.unlock()
        return taken
    }

    @usableFromInline var description: String { "Sink" }
}

// A property of a function type has no address: generic code receives a copy with another calling convention. So a capture could
// not look at the property.
@usableFromInline
struct ValueClosure<Input> {
    @usableFromInline let call: (Input) -> Void

    @inlinable
    init(call: @escaping (Input) -> Void) {
        self.call = call
    }
}
