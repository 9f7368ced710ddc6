public import Locking
public import StateCapture

extension Publishers {
    /// A publisher that connects when it gets its first subscriber and disconnects after the last.
    public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The connectable publisher.
        public final let upstream: Upstream

        @usableFromInline final let lock = WordLock()
        // Guarded by `lock`, which makes every access exclusive.
        @exclusivity(unchecked) @usableFromInline final var connection: (any Cancellable)?
        @exclusivity(unchecked) @usableFromInline final var subscribers = 0
        /// The scope of the parts of upstream, if the machine is captured.
        @exclusivity(unchecked) @usableFromInline final var scope: StateScope?

        /// Creates the publisher. It does not connect until it has a subscriber.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`, and then connects if it is the only one.
        @inlinable
        public final func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            // Counted before it is attached: a subscriber may complete or cancel while it attaches, and is then
            // discounted. Connecting comes last, so that the first subscriber misses no value.
            let isFirst = addSubscriber()
            if let registry = StateRegistry.current { makeScope(registry) }
            upstream.receive(subscriber: AutoconnectSubscriber(AutoconnectConduit(self, subscriber)))
            if isFirst { connect() }
        }

        @usableFromInline
        final func addSubscriber() -> Bool {
            lock.withLock {
                subscribers += 1
                return subscribers == 1
            }
        }

        /// Makes the scope of the parts of upstream.
        // Which subscriber connects, and when, may differ in a restored machine.
        @usableFromInline
        final func makeScope(_ registry: StateRegistry) {
            if lock.withLock({ scope == nil }) {
                let made = registry.makeScope(named: "shared")
                lock.withLock { scope = made }
            }
        }

        // Inlinable, so that the chain to upstream is specialized.
        @inlinable
        final func connectUpstream() -> any Cancellable {
            guard let scope = lock.withLock({ scope }) else { return upstream.connect() }
            return scope.wire { upstream.connect() }
        }

        /// Connects, unless the last subscriber has left meanwhile.
        @inlinable
        final func connect() {
            guard lock.withLock({ subscribers > 0 }) else { return }
            // Connecting is foreign code and may deliver everything synchronously, so it happens without the lock.
            let made = connectUpstream()
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

/// A conduit that notifies a ``Publishers/Autoconnect`` when it completes or is cancelled.
@usableFromInline
final class AutoconnectConduit<Upstream: ConnectablePublisher, Downstream: Subscriber>: UpstreamConduit
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    // Unchanged until the end and then released inside the gate, so reading them before the end needs no lock.
    @exclusivity(unchecked) @usableFromInline var owner: Publishers.Autoconnect<Upstream>?
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

    @inlinable
    init(_ owner: Publishers.Autoconnect<Upstream>, _ downstream: Downstream) {
        self.owner = owner
        self.downstream = downstream
        super.init { unsafeDowncast($0, to: AutoconnectConduit<Upstream, Downstream>.self).handle($1) }
    }

    /// The description of upstream's subscription.
    @usableFromInline override var description: String {
        // A multicast inserts no conduit of its own before this one.
        if let multicast = Upstream.self as? any NamedSource.Type { return multicast.subscriptionName }
        return lock.withLock { upstream }?.description ?? "Autoconnect"
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more): requestUpstream(more)
        case .cancel:
            guard demand.end() else { return }
            // Disconnects, if it is the last one, before it leaves, as in Combine.
            owner?.removeSubscriber()
            takeUpstream()?.cancel()
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

/// The subscriber that a connectable publisher sees in front of an ``AutoconnectConduit``.
// A value of its own, because it has another description than the subscription.
@usableFromInline
struct AutoconnectSubscriber<Upstream: ConnectablePublisher, Downstream: Subscriber>: Subscriber, DescribedSubscriber,
    SharingConduit
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline let conduit: AutoconnectConduit<Upstream, Downstream>

    @inlinable
    init(_ conduit: AutoconnectConduit<Upstream, Downstream>) {
        self.conduit = conduit
    }

    @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

    @usableFromInline var description: String { "Autoconnect" }

    @usableFromInline var customMirror: Mirror {
        Mirror(self, children: ["parent": conduit.owner as Any, "downstream": conduit.downstream as Any])
    }

    @inlinable
    func receive(subscription: any Subscription) {
        conduit.receive(subscription: subscription)
    }

    @inlinable
    func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        conduit.receive(input)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        conduit.receive(completion: completion)
    }
}

extension ConnectablePublisher {
    /// Connects when the publisher gets its first subscriber and disconnects after the last.
    @inlinable
    public func autoconnect() -> Publishers.Autoconnect<Self> {
        Publishers.Autoconnect(upstream: self)
    }
}
