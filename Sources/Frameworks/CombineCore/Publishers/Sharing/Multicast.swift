public import Locking
import StateCapture

extension Publishers {
    /// A publisher whose subscribers share one subscription to upstream, through a subject.
    ///
    /// Calling `connect` subscribes to upstream, whether there are subscribers or not.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public final let upstream: Upstream

        /// The closure that creates the subject to which subscribers are attached.
        public final let createSubject: () -> SubjectType

        @usableFromInline let lock = WordLock()
        // The subject, created on first use. Guarded by `lock`.
        @exclusivity(unchecked) @usableFromInline var current: SubjectType?

        /// Creates the publisher. It creates no subject until it is subscribed to or connected.
        @inlinable
        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        /// Attaches `subscriber` to the subject.
        @inlinable
        public final func receive<S: Subscriber>(subscriber: S)
        where SubjectType.Failure == S.Failure, SubjectType.Output == S.Input {
            // Each subscriber gets a conduit, which ends its subscription independently of the subject. A
            // `SharingConduit` does that itself.
            if S.self is any SharingConduit.Type {
                subject().receive(subscriber: subscriber)
            } else {
                subject().receive(subscriber: MulticastConduit(subscriber))
            }
        }

        /// Subscribes to upstream. Cancelling the returned token ends that subscription, but not those of the
        /// subscribers.
        @inlinable
        public final func connect() -> any Cancellable {
            upstream.subscribe(subject())
        }

        @usableFromInline
        func subject() -> SubjectType {
            if let subject = lock.withLock({ current }) { return subject }
            // Created without the lock, since the closure is foreign code. If two threads get here, the second subject
            // is discarded.
            let made = createSubject()
            if let registry = StateRegistry.current, let holder = made as? any StateHolder & AnyObject {
                registry.register(holder: holder, named: "multicast")
            }
            return lock.withLock {
                let subject = current ?? made
                current = subject
                return subject
            }
        }
    }
}

extension Publishers.Multicast: NamedSource {
    static var subscriptionName: String { "Multicast" }
}

extension Publisher {
    /// Returns a publisher whose subscribers share one subscription through the subject that `createSubject` creates.
    @inlinable
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where Failure == S.Failure, Output == S.Output {
        Publishers.Multicast(upstream: self, createSubject: createSubject)
    }

    /// Returns a publisher whose subscribers share one subscription through `subject`.
    @inlinable
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
    where Failure == S.Failure, Output == S.Output {
        multicast { subject }
    }
}

/// A subscriber that guards its subscription to a subject itself, so that a multicast inserts no conduit before it.
@usableFromInline
protocol SharingConduit {}

/// The conduit between the subject of a multicast and one subscriber.
@usableFromInline
final class MulticastConduit<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @inlinable
    init(_ downstream: Downstream) {
        super.init(downstream) { unsafeDowncast($0, to: MulticastConduit<Downstream>.self).forward($1) }
    }

    @usableFromInline override var description: String { "Multicast" }

    @inlinable
    func receive(subscription: any Subscription) {
        begin(subscription)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        return hasBegun && !demand.isEnded ? downstream?.receive(input) ?? .none : .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        if hasUpstream { complete(completion) }
    }
}
