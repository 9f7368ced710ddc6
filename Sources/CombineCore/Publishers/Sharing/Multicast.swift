public import Locking

extension Publishers {
    /// Lets several subscribers share one subscription to upstream, through a subject.
    ///
    /// Upstream is subscribed to when `connect` is called, whether there are subscribers or not.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public final let upstream: Upstream

        /// Makes the subject that the subscribers are attached to.
        public final let createSubject: () -> SubjectType

        @usableFromInline let lock = WordLock()
        /// Guarded by `lock`; made when it is first needed.
        @exclusivity(unchecked) @usableFromInline var current: SubjectType?

        /// Makes the publisher; nothing happens before somebody subscribes or connects.
        @inlinable
        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        deinit {
            stayOutOfClients()
        }

        /// Attaches `subscriber` to the subject.
        @inlinable
        public final func receive<S: Subscriber>(subscriber: S)
        where SubjectType.Failure == S.Failure, SubjectType.Output == S.Input {
            if S.self is any SharingConduit.Type {
                subject().receive(subscriber: subscriber)
            } else {
                subject().receive(subscriber: MulticastConduit(subscriber))
            }
        }

        /// Subscribes to upstream; the token, when cancelled, ends that subscription but not the subscribers'.
        @inlinable
        public final func connect() -> any Cancellable {
            upstream.subscribe(subject())
        }

        @usableFromInline
        func subject() -> SubjectType {
            if let subject = lock.withLock({ current }) { return subject }
            let made = createSubject()
            return lock.withLock {
                let subject = current ?? made
                current = subject
                return subject
            }
        }
    }
}

extension Publisher {
    /// Lets several subscribers share one subscription, through the subject that `createSubject` makes.
    @inlinable
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where Failure == S.Failure, Output == S.Output {
        Publishers.Multicast(upstream: self, createSubject: createSubject)
    }

    /// Lets several subscribers share one subscription, through `subject`.
    @inlinable
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
    where Failure == S.Failure, Output == S.Output {
        multicast { subject }
    }
}

/// A link that guards the subscription to a subject on its own, so that a multicast needs no link before it.
@usableFromInline
protocol SharingConduit {}

/// The link between the subject of a multicast and one subscriber.
@usableFromInline
final class MulticastConduit<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @usableFromInline typealias Input = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure

    @inlinable
    init(_ downstream: Downstream) {
        super.init(downstream) { unsafeDowncast($0, to: MulticastConduit<Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { "Multicast" }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more): requestUpstream(more)
        case .cancel: endAndCancel()
        case .drainPending:
            if demand.isEnded { downstream = nil }
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        begin(subscription)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        return demand.isEnded ? .none : downstream?.receive(input) ?? .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        complete(completion)
    }
}
