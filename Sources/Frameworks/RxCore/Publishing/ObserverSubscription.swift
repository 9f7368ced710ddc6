public import CombineCore
public import Locking

/// The subscription of one subscriber to an ``AnonymousPublisher``.
///
/// Rx has no demand, so elements that the subscriber has not requested are buffered in order, without a limit. A
/// subscriber with unlimited demand receives elements immediately and depth-first.
@usableFromInline
final class ObserverSubscription<S: Subscriber>: Subscription, ObserverType where S.Failure == any Error {
    @usableFromInline typealias Element = S.Input

    @usableFromInline let group = CompositeDisposable()
    @usableFromInline let lock = WordLock()
    /// Guarded by `lock`, like the properties below.
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

    /// Calls the closure, even if the subscriber has already cancelled.
    ///
    /// As in RxSwift, an operator also subscribes to the sources that follow one that has failed. What the closure adds to
    /// the group is then disposed of immediately. Besides, the operators of a restored wiring, of which some have ended,
    /// must register the same parts as those of the first one.
    @inlinable
    func start(_ subscribe: (AnyObserver<Element>, CompositeDisposable) -> Void) {
        subscribe(AnyObserver(self), group)
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
        // Closed first, so that events that the disposal causes do not reach the subscriber.
        _ = close()
        group.dispose()
    }

    @inlinable
    func offer(_ element: Element) {
        let ready: S? = lock.withLock {
            guard ending == nil, let subscriber else { return nil }
            // The common case: no queueing, and a nested element is delivered before the outer delivery continues.
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
            // While another call delivers, the completion is left to that call, so that it does not overtake the
            // element.
            !isEnded && backlog.isEmpty && !isDelivering ? ending : nil
        }
        guard let completion else { return }
        // What follows may wait for a thread that is sending to the same operator.
        group.endSerializer()
        close()?.receive(completion: completion)
        group.finish()
    }

    @inlinable
    func takeFirst() -> (S, Element)? {
        lock.withLock {
            // One call delivers at a time; a nested call would reorder the buffered elements.
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
