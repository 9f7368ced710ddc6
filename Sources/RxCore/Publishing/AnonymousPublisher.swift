public import CombineCore

/// A publisher that calls a closure for each subscriber.
///
/// The closure receives an observer for the events, and a group for the disposables that belong to the subscription.
/// Disposables that are added after the end of the subscription are disposed of immediately, even if the closure has
/// not returned.
@usableFromInline
@frozen
struct AnonymousPublisher<Element>: Publisher {
    @usableFromInline typealias Output = Element
    @usableFromInline typealias Failure = any Error

    @usableFromInline let subscribe: (AnyObserver<Element>, CompositeDisposable) -> Void

    @inlinable
    init(subscribe: @escaping (AnyObserver<Element>, CompositeDisposable) -> Void) {
        self.subscribe = subscribe
    }

    @inlinable
    func receive<S: Subscriber>(subscriber: S) where S.Input == Element, S.Failure == any Error {
        let subscription = ObserverSubscription(subscriber)
        subscriber.receive(subscription: subscription)
        subscription.start(subscribe)
    }
}
