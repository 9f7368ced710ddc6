public import Locking

/// A subject that keeps the value it was sent last and starts every subscriber off with it.
///
/// A value that a subscriber has not asked for is not queued for it; when it asks again it gets the latest value, if
/// that is one it has not had. The rest is as for ``PassthroughSubject``.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    @usableFromInline let lock = WordLock()
    /// These are guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline var latest: Output
    /// Changes with each value and is always odd.
    @exclusivity(unchecked) @usableFromInline var number: UInt32 = 1
    @exclusivity(unchecked) @usableFromInline var connections = SlotList<SubjectConnection<Output, Failure>>()
    @exclusivity(unchecked) @usableFromInline var completion: Subscribers.Completion<Failure>?
    @exclusivity(unchecked) @usableFromInline var upstreams: ContiguousArray<any Subscription> = []

    /// Makes a subject whose first value is `value`.
    @inlinable
    public init(_ value: Output) {
        latest = value
    }

    deinit {
        stayOutOfClients()
        for upstream in upstreams { upstream.cancel() }
    }

    /// The value that was sent or set last.
    ///
    /// Setting it sends it. After the completion, it is kept, but not sent.
    @inlinable public var value: Output {
        get { lock.withLock { latest } }
        set { send(newValue, keepingAfterEnd: true) }
    }

    /// Keeps `value` and delivers it to everybody who has asked for one; does nothing once the subject has ended.
    @inlinable
    public func send(_ value: Output) {
        send(value, keepingAfterEnd: false)
    }

    @inlinable
    @inline(__always)
    func send(_ value: Output, keepingAfterEnd: Bool) {
        lock.lock()
        if completion != nil, !keepingAfterEnd { return lock.unlock() }
        let former = latest
        latest = value
        // Nobody is connected after the end.
        number &+= 2
        let number = number
        if let only = connections.only {
            lock.unlock()
            only.offer(value, number, from: self)
        } else if connections.count > 0 {
            let snapshot = connections.many
            lock.unlock()
            for case let connection? in snapshot {
                connection.offer(value, number, from: self)
            }
        } else {
            lock.unlock()
        }
        withExtendedLifetime(former) {}
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

    /// Takes over `subscription` until this subject goes away, and asks it for everything.
    public func send(subscription: any Subscription) {
        lock.withLock { upstreams.append(subscription) }
        subscription.request(.unlimited)
    }

    /// Attaches `subscriber`, which gets the latest value as soon as it asks; or tells it the ending if there was one.
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
}

/// A source that keeps its value.
@usableFromInline
protocol StatefulOrigin<Output, Failure>: SubjectOrigin {
    /// The value that a subscriber who asks now is due, and its number, unless it has seen that one.
    func latest(after seen: UInt32) -> (value: Output, number: UInt32)?
}

extension CurrentValueSubject: StatefulOrigin {
    @inlinable
    func latest(after seen: UInt32) -> (value: Output, number: UInt32)? {
        lock.withLock { number == seen ? nil : (latest, number) }
    }

    @inlinable
    func grant(_ demand: Subscribers.Demand, to connection: SubjectConnection<Output, Failure>) {
        demand.requirePositive()
        connection.demand.add(demand)
        catchUp(connection)
    }

    @inlinable
    func catchUp(_ connection: SubjectConnection<Output, Failure>) {
        connection.catchUp(with: self)
    }

    @inlinable
    func detach(_ connection: SubjectConnection<Output, Failure>) {
        lock.lock()
        let removed = connections.remove(connection)
        lock.unlock()
        withExtendedLifetime(removed) {}
    }
}

extension SubjectConnection {
    /// Delivers the value with the given number, or leaves it for the next request.
    @inlinable
    final func offer(_ value: Output, _ number: UInt32, from origin: some StatefulOrigin<Output, Failure>) {
        let outermost = enter()
        if demand.take() {
            // The numbers may have wrapped round.
            if Int32(bitPattern: number &- seen) > 0 || seen == 0 { seen = number }
            let more = deliver(value, outermost)
            if more.rawValue > 0, demand.current != DemandWord.unlimited {
                demand.add(more)
                deliverUnseen(from: origin, outermost)
            }
        }
        exit(outermost)
    }

    /// Delivers the latest value if the subscriber has not had it and has asked; or has the thread inside do it.
    @inlinable
    final func catchUp(with origin: some StatefulOrigin<Output, Failure>) {
        switch gate.enterOrMark() {
        case .outermost:
            deliverUnseen(from: origin, true)
            exit(true)
        case .nested: deliverUnseen(from: origin, false)
        case .refused: return
        }
    }

    @inlinable
    final func deliverUnseen(from origin: some StatefulOrigin<Output, Failure>, _ outermost: Bool) {
        while demand.current > 0, let (value, number) = origin.latest(after: seen), demand.take() {
            seen = number
            demand.add(deliver(value, outermost))
        }
    }
}

extension CurrentValueSubject: UpstreamKeepingSubject {
    func drop(_ upstream: AnyObject) {
        let dropped = lock.withLock {
            upstreams.firstIndex { $0 as AnyObject === upstream }.map { upstreams.remove(at: $0) }
        }
        withExtendedLifetime(dropped) {}
    }
}

extension CurrentValueSubject: CustomStringConvertible {
    /// The name of the type without its parameters.
    public var description: String { "CurrentValueSubject" }
}
