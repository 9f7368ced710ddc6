public import CombineCore
public import Locking

/// One subscriber of a ``Served`` publisher.
///
/// Rx knows no demand: what the subscriber has not asked for yet is kept for it, in order, without a limit. A subscriber
/// that asks for everything gets what comes as it comes, and an element that is sent from inside a delivery goes first.
@usableFromInline
final class Service<S: Subscriber>: Subscription, ObserverType where S.Failure == any Error {
    @usableFromInline typealias Element = S.Input

    @usableFromInline let group = CompositeDisposable()
    @usableFromInline let lock = WordLock()
    /// These are guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline var subscriber: S?
    @exclusivity(unchecked) @usableFromInline var demand = Subscribers.Demand.none
    @exclusivity(unchecked) @usableFromInline var backlog = Queue<Element>()
    @exclusivity(unchecked) @usableFromInline var ending: Subscribers.Completion<any Error>?
    @exclusivity(unchecked) @usableFromInline var isDelivering = false
    @exclusivity(unchecked) @usableFromInline var isEnded = false

    @inlinable
    init(_ subscriber: S) {
        self.subscriber = subscriber
    }

    /// Calls the closure that serves the subscriber, unless that has cancelled already.
    @inlinable
    func begin(_ serve: (AnyObserver<Element>, CompositeDisposable) -> Void) {
        if !group.isDisposed { serve(AnyObserver(self), group) }
    }

    @inlinable
    func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): offer(element)
        case .error(let error): finish(.failure(error))
        case .completed: finish(.finished)
        }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        lock.withLock { self.demand += demand }
        deliverBacklog()
    }

    @inlinable
    func cancel() {
        _ = close()
        group.dispose()
    }

    @inlinable
    func offer(_ element: Element) {
        let ready: S? = lock.withLock {
            guard ending == nil, let subscriber else { return nil }
            if demand == .unlimited, backlog.isEmpty { return subscriber }
            backlog.append(element)
            return nil
        }
        if let ready {
            _ = ready.receive(element)
        } else {
            deliverBacklog()
        }
    }

    @inlinable
    func finish(_ completion: Subscribers.Completion<any Error>) {
        lock.withLock {
            if ending == nil { ending = completion }
        }
        deliverBacklog()
    }

    @inlinable
    func deliverBacklog() {
        while let (subscriber, element) = takeFirst() {
            let more = subscriber.receive(element)
            lock.withLock {
                demand += more
                isDelivering = false
            }
        }
        let completion: Subscribers.Completion<any Error>? = lock.withLock {
            !isEnded && backlog.isEmpty && !isDelivering ? ending : nil
        }
        guard let completion else { return }
        close()?.receive(completion: completion)
        group.finish()
    }

    @inlinable
    func takeFirst() -> (S, Element)? {
        lock.withLock {
            guard !isDelivering, demand > .none, let subscriber, let element = backlog.removeFirst() else { return nil }
            isDelivering = true
            demand -= 1
            return (subscriber, element)
        }
    }

    @inlinable
    func close() -> S? {
        lock.withLock {
            defer {
                isEnded = true
                subscriber = nil
                backlog = Queue()
            }
            return subscriber
        }
    }
}
