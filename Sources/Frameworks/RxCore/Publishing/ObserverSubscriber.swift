public import CombineCore
public import Locking

/// A subscriber that forwards a publisher's events to an observer. It is also the disposable returned to the caller.
@usableFromInline
final class ObserverSubscriber<Observer: ObserverType>: Subscriber, Cancelable, Finishable {
    @usableFromInline typealias Input = Observer.Element
    @usableFromInline typealias Failure = any Error

    @usableFromInline let lock = WordLock()
    /// Guarded by `lock`; nil after the end.
    @exclusivity(unchecked) @usableFromInline var observer: Observer?
    /// Guarded by `lock`; nil before the subscription is received and after the end.
    @exclusivity(unchecked) @usableFromInline var subscription: (any Subscription)?

    @inlinable
    init(_ observer: Observer) {
        self.observer = observer
    }

    /// Sends further events to another observer, unless the subscription has ended.
    func replaceObserver(_ other: Observer) {
        let former: Observer? = lock.withLock {
            guard let former = observer else { return nil }
            observer = other
            return former
        }
        withExtendedLifetime(former) {}
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let isWanted = lock.withLock {
            guard observer != nil, self.subscription == nil else { return false }
            self.subscription = subscription
            return true
        }
        // Outside the lock: the request may deliver elements immediately.
        if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    @inlinable
    func receive(_ input: Observer.Element) -> Subscribers.Demand {
        lock.withLock { observer }?.on(.next(input))
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<any Error>) {
        // The subscription is released only after the event is delivered: an observer such as `do` may dispose of this
        // object during the event, and must then end its upstream before its downstream.
        let observer: Observer? = lock.withLock {
            defer { self.observer = nil }
            return self.observer
        }
        switch completion {
        case .finished: observer?.on(.completed)
        case .failure(let error): observer?.on(.error(error))
        }
        withExtendedLifetime(end().subscription) {}
    }

    @inlinable var isDisposed: Bool { lock.withLock { observer == nil } }

    @inlinable var isFinished: Bool { isDisposed }

    @inlinable
    func dispose() {
        end().subscription?.cancel()
    }

    @inlinable
    func end() -> (observer: Observer?, subscription: (any Subscription)?) {
        lock.withLock {
            defer {
                observer = nil
                subscription = nil
            }
            return (observer, subscription)
        }
    }
}
