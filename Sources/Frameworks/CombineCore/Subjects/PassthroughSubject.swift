public import Locking
public import StateCapture
public import Synchronization

/// A subject that forwards values and stores none.
///
/// Subscribers receive values in the order of their subscriptions. A value without demand is dropped for that
/// subscriber. A subscriber that subscribes while a value is being sent does not receive that value; one that cancels
/// meanwhile receives nothing more. Sending from inside a delivery is allowed, and the inner value goes first. Several
/// threads may send at the same time: each subscriber receives one value at a time.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    // The small properties come first, so that they share a word.
    @usableFromInline let lock = WordLock()
    /// Whether any subscriber has ever requested anything.
    @usableFromInline let hasBeenRequested = AtomicProperty<Bool>(false)
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline var completion: Subscribers.Completion<Failure>?
    @exclusivity(unchecked) @usableFromInline var connections = SlotList<SubjectConnection<Output, Failure>>()
    @exclusivity(unchecked) @usableFromInline var upstreams: ContiguousArray<any Subscription> = []

    /// Creates a subject without subscribers.
    @inlinable
    public init() {
        if StateRegistry.isWiring { registerCreated() }
    }

    /// Creates a subject inside of an object that captures its end, or that needs none.
    @inlinable
    package init(uncaptured: Void) {}

    deinit {
        for upstream in upstreams { upstream.cancel() }
    }

    /// Delivers `value` to all subscribers with demand. Does nothing once the subject has ended.
    @inlinable
    public func send(_ value: Output) {
        lock.lock()
        // A single subscriber needs no snapshot, and so neither a retain nor a release of an array for each value.
        if let only = connections.only {
            lock.unlock()
            only.offer(value)
            return
        }
        guard connections.count > 0 else { return lock.unlock() }
        // A snapshot, because subscribers may subscribe and cancel from inside the delivery, when the lock must not be
        // held.
        let snapshot = connections.many
        lock.unlock()
        for case let connection? in snapshot {
            connection.offer(value)
        }
    }

    /// Ends the stream for current and future subscribers. Everything sent later is ignored.
    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) {
        lock.lock()
        guard self.completion == nil else { return lock.unlock() }
        self.completion = completion
        let former = connections.takeAll()
        lock.unlock()
        former.forEach { $0.finish(completion) }
    }

    /// Retains `subscription` until this subject is deallocated or the subscription ends. Requests unlimited values
    /// from it as soon as a subscriber of this subject has requested any.
    public func send(subscription: any Subscription) {
        lock.withLock { upstreams.append(subscription) }
        if hasBeenRequested.atomic.load(ordering: .acquiring) {
            subscription.request(.unlimited)
        }
    }

    /// Attaches `subscriber`. If the subject has ended, the subscriber receives the completion immediately.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        if StateRegistry.isWiring { return receiveWhileWiring(subscriber) }
        attach(Connection(self, subscriber), subscriber)
    }

    /// Opens and attaches a connection.
    @inlinable
    @inline(__always)
    func attach<S: Subscriber>(_ connection: Connection<PassthroughSubject, S>, _ subscriber: S)
    where S.Input == Output, S.Failure == Failure {
        // Enter the gate first: from `append` on, another thread may complete this connection. The completion then
        // waits at the gate, so that the subscriber still receives its subscription first.
        let outermost = connection.enter()
        lock.lock()
        if let completion {
            lock.unlock()
            connection.exit(outermost)
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: completion)
            return
        }
        connections.append(connection)
        lock.unlock()
        connection.open()
        connection.exit(outermost)
    }

    /// Requests unlimited values from the upstreams when a subscriber of this subject makes its first request.
    @usableFromInline
    func requestFromUpstreams() {
        guard !hasBeenRequested.atomic.exchange(true, ordering: .acquiringAndReleasing) else { return }
        for upstream in lock.withLock({ upstreams }) {
            upstream.request(.unlimited)
        }
    }
}

extension PassthroughSubject: PostponingOrigin {
    @inlinable
    func grant(_ demand: Subscribers.Demand, to connection: SubjectConnection<Output, Failure>) {
        demand.requirePositive()
        connection.demand.add(demand)
        if !hasBeenRequested.atomic.load(ordering: .relaxed) { requestFromUpstreams() }
    }

    @inlinable
    func catchUp(_ connection: SubjectConnection<Output, Failure>) {}

    @inlinable
    func detach(_ connection: SubjectConnection<Output, Failure>) {
        let removed = lock.withLock { connections.remove(connection) }
        withExtendedLifetime(removed) {}
    }
}

extension PassthroughSubject: UpstreamKeepingSubject {}

extension PassthroughSubject: CustomStringConvertible {
    /// The name of the type without its parameters.
    public var description: String { "PassthroughSubject" }
}
