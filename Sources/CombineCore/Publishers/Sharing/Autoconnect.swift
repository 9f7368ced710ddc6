public import Locking

extension Publishers {
    /// Connects for the first subscriber and disconnects after the last.
    public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// What is connected.
        public final let upstream: Upstream

        @usableFromInline final let lock = WordLock()
        /// These are guarded by `lock`.
        @exclusivity(unchecked) @usableFromInline final var connection: (any Cancellable)?
        @exclusivity(unchecked) @usableFromInline final var subscribers = 0

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        deinit {
            stayOutOfClients()
        }

        /// Attaches `subscriber`, and then connects if it is the only one.
        @inlinable
        public final func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            let isFirst = addSubscriber()
            upstream.receive(subscriber: AutoconnectSubscriber(self, subscriber))
            if isFirst { connect() }
        }

        @usableFromInline
        final func addSubscriber() -> Bool {
            lock.withLock {
                subscribers += 1
                return subscribers == 1
            }
        }

        /// Connects, unless the subscriber that this is for has gone meanwhile.
        @inlinable
        final func connect() {
            guard lock.withLock({ subscribers > 0 }) else { return }
            let made = upstream.connect()
            let isWanted = lock.withLock {
                guard subscribers > 0, connection == nil else { return false }
                connection = made
                return true
            }
            if !isWanted { made.cancel() }
        }

        @usableFromInline
        final func removeSubscriber() {
            let former = lock.withLock { () -> (any Cancellable)? in
                subscribers -= 1
                guard subscribers == 0 else { return nil }
                let taken = connection
                connection = nil
                return taken
            }
            former?.cancel()
        }
    }
}

/// Tells an ``Publishers/Autoconnect`` when a subscriber is gone, by completion or cancellation.
@usableFromInline
final class AutoconnectSubscriber<Upstream: ConnectablePublisher, Downstream: Subscriber>: UpstreamConduit, Subscriber,
    SharingConduit
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    /// These are let go of after the end.
    @exclusivity(unchecked) @usableFromInline var owner: Publishers.Autoconnect<Upstream>?
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

    @inlinable
    init(_ owner: Publishers.Autoconnect<Upstream>, _ downstream: Downstream) {
        self.owner = owner
        self.downstream = downstream
        super.init { unsafeDowncast($0, to: AutoconnectSubscriber<Upstream, Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { LinkName.of(Upstream.self) }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more): requestUpstream(more)
        case .cancel:
            guard demand.end() else { return }
            takeUpstream()?.cancel()
            owner?.removeSubscriber()
            releaseReferences()
        case .drainPending:
            guard demand.isEnded else { return }
            owner = nil
            downstream = nil
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let outermost = enter()
        if accept(subscription) { downstream?.receive(subscription: self) }
        exit(outermost)
    }

    @inlinable
    func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        return demand.isEnded ? .none : downstream?.receive(input) ?? .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        let outermost = enter()
        if demand.end() {
            takeUpstream()
            owner?.removeSubscriber()
            downstream?.receive(completion: completion)
            releaseReferences()
        }
        exit(outermost)
    }
}

extension ConnectablePublisher {
    /// Connects for the first subscriber and disconnects after the last.
    @inlinable
    public func autoconnect() -> Publishers.Autoconnect<Self> {
        Publishers.Autoconnect(upstream: self)
    }
}
