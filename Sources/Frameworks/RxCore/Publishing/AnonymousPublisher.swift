public import CombineCore

/// A publisher that calls a closure for each subscriber.
///
/// The closure receives an observer for the events, and a group for the disposables that belong to the subscription.
/// Disposables that are added after the end of the subscription are disposed of immediately, even if the closure has
/// not returned.
@usableFromInline
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

/// A publisher whose subscribers are attached inside the trampoline.
///
/// As in RxSwift, sources on the current thread start after the whole chain is subscribed, so that those of one operator
/// alternate. Each stream does so itself, because operators such as `flatMap` subscribe to it later, outside of any
/// trampoline. Exceptions, also as in RxSwift, are subjects, relays, connectable observables, and sources that send no more
/// than one element and end immediately: what their observers subscribe to during the subscription starts immediately.
@usableFromInline
struct TrampolinedPublisher<Upstream: Publisher>: Publisher {
    @usableFromInline typealias Output = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @usableFromInline let upstream: Upstream

    @inlinable
    init(_ upstream: Upstream) {
        self.upstream = upstream
    }

    @inlinable
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        CurrentThreadScheduler.trampoline { upstream.receive(subscriber: subscriber) }
    }
}
