public import Locking
public import Synchronization

/// A subject that hands on what it is sent and keeps nothing.
///
/// Subscribers get values in the order in which they subscribed. A value that a subscriber has not asked for is
/// dropped for that subscriber. Who subscribes while a value is being sent does not get that value; who cancels
/// meanwhile gets nothing more. Sending from inside a delivery is allowed and goes first; sending from several threads
/// at once is too: each subscriber sees one value at a time.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    // The small ones come first, so that they share a word.
    @usableFromInline let lock = WordLock()
    /// Whether any subscriber has ever asked for anything.
    @usableFromInline let hasBeenRequested = Atomic<Bool>(false)
    /// These are guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline var completion: Subscribers.Completion<Failure>?
    @exclusivity(unchecked) @usableFromInline var connections = SlotList<SubjectConnection<Output, Failure>>()
    @exclusivity(unchecked) @usableFromInline var upstreams: ContiguousArray<any Subscription> = []

    /// Makes a subject that nobody has subscribed to.
    @inlinable
    public init() {}

    deinit {
        stayOutOfClients()
        for upstream in upstreams { upstream.cancel() }
    }

    /// Delivers `value` to everybody who has asked for one; does nothing once the subject has ended.
    @inlinable
    public func send(_ value: Output) {
        lock.lock()
        if let only = connections.only {
            lock.unlock()
            only.offer(value)
            return
        }
        guard connections.count > 0 else { return lock.unlock() }
        let snapshot = connections.many
        lock.unlock()
        for case let connection? in snapshot {
            connection.offer(value)
        }
    }

    /// Ends the stream for present and future subscribers; everything sent later is ignored.
    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) {
        lock.lock()
        guard self.completion == nil else { return lock.unlock() }
        self.completion = completion
        let former = connections.takeAll()
        lock.unlock()
        former.forEach { $0.finish(completion) }
    }

    /// Takes over `subscription` until this subject goes away; asks it for everything once anybody asks this subject.
    public func send(subscription: any Subscription) {
        lock.withLock { upstreams.append(subscription) }
        if hasBeenRequested.load(ordering: .acquiring) {
            subscription.request(.unlimited)
        }
    }

    /// Attaches `subscriber`, or tells it the ending if there was one.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        let connection = Connection(self, subscriber)
        // An ending that another thread sends meanwhile has to wait until the subscription has been handed over.
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

    /// Asks everything of the upstreams, the first time that anybody asks this subject.
    @usableFromInline
    func requestFromUpstreams() {
        guard !hasBeenRequested.exchange(true, ordering: .acquiringAndReleasing) else { return }
        for upstream in lock.withLock({ upstreams }) {
            upstream.request(.unlimited)
        }
    }
}

extension PassthroughSubject: SubjectOrigin {
    @inlinable
    func grant(_ demand: Subscribers.Demand, to connection: SubjectConnection<Output, Failure>) {
        demand.requirePositive()
        connection.demand.add(demand)
        if !hasBeenRequested.load(ordering: .relaxed) { requestFromUpstreams() }
    }

    @inlinable
    func catchUp(_ connection: SubjectConnection<Output, Failure>) {}

    @inlinable
    func detach(_ connection: SubjectConnection<Output, Failure>) {
        lock.lock()
        let removed = connections.remove(connection)
        lock.unlock()
        withExtendedLifetime(removed) {}
    }
}

extension PassthroughSubject: UpstreamKeepingSubject {
    func drop(_ upstream: AnyObject) {
        let dropped = lock.withLock {
            upstreams.firstIndex { $0 as AnyObject === upstream }.map { upstreams.remove(at: $0) }
        }
        withExtendedLifetime(dropped) {}
    }
}

extension PassthroughSubject: CustomStringConvertible {
    /// The name of the type without its parameters.
    public var description: String { "PassthroughSubject" }
}
