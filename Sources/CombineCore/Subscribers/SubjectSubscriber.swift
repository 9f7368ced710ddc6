public import Locking

/// Feeds a subject; the subject decides how much it asks for.
@usableFromInline
final class SubjectSubscriber<Fed: Subject>: Subscriber, Subscription, DescribedSubscriber {
    @usableFromInline typealias Input = Fed.Output
    @usableFromInline typealias Failure = Fed.Failure

    @usableFromInline let lock = WordLock()
    /// These are guarded by `lock`. The subject holds this subscriber as its upstream, until the end.
    @exclusivity(unchecked) @usableFromInline var subject: Fed?
    @exclusivity(unchecked) @usableFromInline var upstream: (any Subscription)?

    @inlinable
    init(_ subject: Fed) {
        self.subject = subject
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    @usableFromInline var description: String { "Subject" }

    @usableFromInline
    func receive(subscription: any Subscription) {
        let fed = lock.withLock { () -> Fed? in
            guard upstream == nil, let subject else { return nil }
            upstream = subscription
            return subject
        }
        if let fed {
            fed.send(subscription: self)
        } else {
            subscription.cancel()
        }
    }

    @inlinable
    func receive(_ input: Fed.Output) -> Subscribers.Demand {
        lock.withLock { subject }?.send(input)
        return .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Fed.Failure>) {
        let taken = takeAll()
        taken.subject?.send(completion: completion)
        (taken.subject as? any FedSubject)?.drop(self)
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        lock.withLock { upstream }?.request(demand)
    }

    @usableFromInline
    func cancel() {
        let taken = takeAll()
        taken.upstream?.cancel()
        (taken.subject as? any FedSubject)?.drop(self)
    }

    private func takeAll() -> (subject: Fed?, upstream: (any Subscription)?) {
        lock.withLock {
            let taken = (subject, upstream)
            subject = nil
            upstream = nil
            return taken
        }
    }
}

/// A subject that keeps the subscriptions that feed it.
protocol FedSubject: AnyObject {
    /// Forgets a subscription that has ended, so that a subject that is fed again and again does not grow.
    func drop(_ upstream: AnyObject)
}
