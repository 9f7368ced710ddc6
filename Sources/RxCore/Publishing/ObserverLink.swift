import CombineCore
import Locking

/// Tells an observer what a publisher delivers. It is the subscription that the observer's owner gets.
final class ObserverLink<Observer: ObserverType>: Subscriber, Cancelable, Finishable {
    typealias Input = Observer.Element
    typealias Failure = any Error

    private let lock = WordLock()
    /// Guarded by `lock`; nil once the link has ended.
    @exclusivity(unchecked) private var observer: Observer?
    /// Guarded by `lock`; nil before it has come and after the link has ended.
    @exclusivity(unchecked) private var subscription: (any Subscription)?

    init(_ observer: Observer) {
        self.observer = observer
    }

    deinit {
        stayOutOfClients()
    }

    func receive(subscription: any Subscription) {
        let isWanted = lock.withLock {
            guard observer != nil, self.subscription == nil else { return false }
            self.subscription = subscription
            return true
        }
        if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    func receive(_ input: Observer.Element) -> Subscribers.Demand {
        lock.withLock { observer }?.on(.next(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        let observer = end().observer
        switch completion {
        case .finished: observer?.on(.completed)
        case .failure(let error): observer?.on(.error(error))
        }
    }

    var isDisposed: Bool { lock.withLock { observer == nil } }

    var isFinished: Bool { isDisposed }

    func dispose() {
        end().subscription?.cancel()
    }

    private func end() -> (observer: Observer?, subscription: (any Subscription)?) {
        lock.withLock {
            defer {
                observer = nil
                subscription = nil
            }
            return (observer, subscription)
        }
    }
}
