import CombineCore
import Locking

/// One subscriber of a ``Served`` publisher.
///
/// Rx knows no demand: what the subscriber has not asked for yet is kept for it, in order, without a limit. A subscriber
/// that asks for everything gets what comes as it comes, and an element that is sent from inside a delivery goes first.
final class Service<S: Subscriber>: Subscription, ObserverType where S.Failure == any Error {
    typealias Element = S.Input

    private let group = CompositeDisposable()
    private let lock = WordLock()
    /// These are guarded by `lock`.
    @exclusivity(unchecked) private var subscriber: S?
    @exclusivity(unchecked) private var demand = Subscribers.Demand.none
    @exclusivity(unchecked) private var backlog = Backlog<Element>()
    @exclusivity(unchecked) private var ending: Subscribers.Completion<any Error>?
    @exclusivity(unchecked) private var isDelivering = false
    @exclusivity(unchecked) private var isEnded = false

    init(_ subscriber: S) {
        self.subscriber = subscriber
    }

    deinit {
        stayOutOfClients()
    }

    /// Calls the closure that serves the subscriber, unless that has cancelled already.
    func begin(_ serve: (AnyObserver<Element>, CompositeDisposable) -> Void) {
        if !group.isDisposed { serve(AnyObserver(self), group) }
    }

    func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): offer(element)
        case .error(let error): finish(.failure(error))
        case .completed: finish(.finished)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock { self.demand += demand }
        deliverBacklog()
    }

    func cancel() {
        _ = close()
        group.dispose()
    }

    private func offer(_ element: Element) {
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

    private func finish(_ completion: Subscribers.Completion<any Error>) {
        lock.withLock {
            if ending == nil { ending = completion }
        }
        deliverBacklog()
    }

    private func deliverBacklog() {
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
        group.dispose()
    }

    private func takeFirst() -> (S, Element)? {
        lock.withLock {
            guard !isDelivering, demand > .none, let subscriber, let element = backlog.takeFirst() else { return nil }
            isDelivering = true
            demand -= 1
            return (subscriber, element)
        }
    }

    private func close() -> S? {
        lock.withLock {
            defer {
                isEnded = true
                subscriber = nil
                backlog = Backlog()
            }
            return subscriber
        }
    }
}
