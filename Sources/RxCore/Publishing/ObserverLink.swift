public import CombineCore
public import Locking

/// Tells an observer what a publisher delivers. It is the subscription that the observer's owner gets.
@usableFromInline
final class ObserverLink<Observer: ObserverType>: Subscriber, Cancelable, Finishable {
    @usableFromInline typealias Input = Observer.Element
    @usableFromInline typealias Failure = any Error

    @usableFromInline let lock = WordLock()
    /// Guarded by `lock`; nil once the link has ended.
    @exclusivity(unchecked) @usableFromInline var observer: Observer?
    /// Guarded by `lock`; nil before it has come and after the link has ended.
    @exclusivity(unchecked) @usableFromInline var subscription: (any Subscription)?

    @inlinable
    init(_ observer: Observer) {
        self.observer = observer
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let isWanted = lock.withLock {
            guard observer != nil, self.subscription == nil else { return false }
            self.subscription = subscription
            return true
        }
        if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    @inlinable
    func receive(_ input: Observer.Element) -> Subscribers.Demand {
        lock.withLock { observer }?.on(.next(input))
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<any Error>) {
        // The subscription stays meanwhile: an observer that disposes of the link on being told, as `do` does, ends
        // what is above it before what is below.
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
