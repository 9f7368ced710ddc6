public import CombineCore

/// A publisher that serves each subscriber by calling a closure: with an observer to tell, and a group for what is to be
/// disposed of when the subscription is over. What the closure adds to the group ends also if it is over before the
/// closure has returned.
@usableFromInline
@frozen
struct Served<Element>: Publisher {
    @usableFromInline typealias Output = Element
    @usableFromInline typealias Failure = any Error

    @usableFromInline let serve: (AnyObserver<Element>, CompositeDisposable) -> Void

    @inlinable
    init(serve: @escaping (AnyObserver<Element>, CompositeDisposable) -> Void) {
        self.serve = serve
    }

    @inlinable
    func receive<S: Subscriber>(subscriber: S) where S.Input == Element, S.Failure == any Error {
        let service = Service(subscriber)
        subscriber.receive(subscription: service)
        service.begin(serve)
    }
}
