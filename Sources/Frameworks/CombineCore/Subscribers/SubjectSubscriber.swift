public import Locking

/// A subscriber that feeds a subject. The subject determines the demand.
@usableFromInline
final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription, DescribedSubscriber {
    @usableFromInline let lock = WordLock()
    // Guarded by `lock`. The subject and this subscriber refer to each other until the end, when `takeAll()` breaks the
    // cycle.
    @exclusivity(unchecked) @usableFromInline var subject: Target?
    @exclusivity(unchecked) @usableFromInline var upstream: (any Subscription)?

    @inlinable
    init(_ subject: Target) {
        self.subject = subject
    }

    @usableFromInline var description: String { "Subject" }

    @usableFromInline
    func receive(subscription: any Subscription) {
        let target = lock.withLock { () -> Target? in
            guard upstream == nil, let subject else { return nil }
            upstream = subscription
            return subject
        }
        if let target {
            target.send(subscription: self)
        } else {
            subscription.cancel()
        }
    }

    @inlinable
    func receive(_ input: Target.Output) -> Subscribers.Demand {
        lock.withLock { subject }?.send(input)
        return .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Target.Failure>) {
        let taken = takeAll()
        taken.subject?.send(completion: completion)
        (taken.subject as? any UpstreamKeepingSubject)?.drop(self)
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        lock.withLock { upstream }?.request(demand)
    }

    @usableFromInline
    func cancel() {
        let taken = takeAll()
        taken.upstream?.cancel()
        (taken.subject as? any UpstreamKeepingSubject)?.drop(self)
    }

    private func takeAll() -> (subject: Target?, upstream: (any Subscription)?) {
        lock.withLock {
            let taken = (subject, upstream)
            subject = nil
            upstream = nil
            return taken
        }
    }
}

/// A subject that retains the subscriptions that feed it.
protocol UpstreamKeepingSubject: AnyObject {
    var lock: WordLock { get }
    /// The subscriptions. Guarded by ``lock``.
    var upstreams: ContiguousArray<any Subscription> { get set }
}

extension UpstreamKeepingSubject {
    /// Releases a subscription that has ended, so that a subject that is fed repeatedly does not grow.
    func drop(_ upstream: AnyObject) {
        let dropped = lock.withLock {
            upstreams.firstIndex { $0 as AnyObject === upstream }.map { upstreams.remove(at: $0) }
        }
        withExtendedLifetime(dropped) {}
    }
}
