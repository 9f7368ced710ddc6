public import Locking
public import StateCapture

/// A subject that stores its latest value and sends it to every new subscriber.
///
/// A value without demand is not queued. When the subscriber requests again, it receives the latest value, unless it
/// has received that one already. Otherwise the subject behaves like ``PassthroughSubject``.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    @usableFromInline let lock = WordLock()
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline var latest: Output
    /// The number of the latest value. It changes with each value and is always odd.
    // Odd, so that it never equals 0, the `seen` of a connection that has received nothing, even after wrapping around.
    @exclusivity(unchecked) @usableFromInline var number: UInt32 = 1
    @exclusivity(unchecked) @usableFromInline var connections = SlotList<SubjectConnection<Output, Failure>>()
    @exclusivity(unchecked) @usableFromInline var completion: Subscribers.Completion<Failure>?
    @exclusivity(unchecked) @usableFromInline var upstreams: ContiguousArray<any Subscription> = []

    /// Creates a subject with an initial value.
    @inlinable
    public init(_ value: Output) {
        latest = value
        if StateRegistry.isWiring { registerCreated() }
    }

    /// Creates a subject inside of an object that captures its state, or that needs none.
    @inlinable
    package init(uncaptured value: Output) {
        latest = value
    }

    deinit {
        for upstream in upstreams { upstream.cancel() }
    }

    /// The latest value.
    ///
    /// Setting it sends the new value. After the completion, the new value is stored but not sent.
    @inlinable public var value: Output {
        get { lock.withLock { latest } }
        set { send(newValue, keepingAfterEnd: true) }
    }

    /// Stores `value` and delivers it to all subscribers with demand. Does nothing once the subject has ended.
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
        // Changed even after the end: no subscriber is connected then, so nothing compares the number.
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
        // The previous value is released last and outside the lock: its `deinit` may run foreign code that uses this
        // subject.
        withExtendedLifetime(former) {}
    }

    /// Ends the stream for current and future subscribers. Everything sent later is ignored.
    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) {
        lock.lock()
        guard self.completion == nil else { return lock.unlock() }
        self.completion = completion
        let former = connections.takeAll()
        lock.unlock()
        // Outside the lock, since subscribers may use this subject from inside their completion.
        former.forEach { $0.finish(completion) }
    }

    /// Retains `subscription` until this subject is deallocated or the subscription ends, and requests unlimited values
    /// from it.
    public func send(subscription: any Subscription) {
        lock.withLock { upstreams.append(subscription) }
        subscription.request(.unlimited)
    }

    /// Attaches `subscriber`, which receives the latest value on its first request. If the subject has ended, the
    /// subscriber receives the completion immediately.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        if StateRegistry.isWiring { return receiveWhileWiring(subscriber) }
        attach(Connection(self, subscriber), subscriber)
    }

    /// Opens and attaches a connection.
    @inlinable
    @inline(__always)
    func attach<S: Subscriber>(_ connection: Connection<CurrentValueSubject, S>, _ subscriber: S)
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
}

/// A source that stores its latest value.
@usableFromInline
protocol StatefulOrigin<Output, Failure>: PostponingOrigin {
    /// Returns the latest value and its number, or nil if `seen` is that number.
    func latest(after seen: UInt32) -> (value: Output, number: UInt32)?
}

extension StatefulOrigin {
    @usableFromInline
    func hasUnseenValue(for connection: SubjectConnection<Output, Failure>) -> Bool {
        latest(after: connection.seen) != nil
    }
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
        let removed = lock.withLock { connections.remove(connection) }
        withExtendedLifetime(removed) {}
    }
}

extension SubjectConnection {
    /// Delivers the numbered value if there is demand; otherwise a later request finds it with `latest(after:)`.
    @inlinable
    final func offer(_ value: Output, _ number: UInt32, from origin: some StatefulOrigin<Output, Failure>) {
        let outermost = enter()
        if demand.take() {
            // Never go back to an older number: another thread may have delivered a newer value here first. The
            // difference is signed because the numbers may have wrapped around.
            if Int32(bitPattern: number &- seen) > 0 || seen == 0 { seen = number }
            let more = deliver(value, outermost)
            if more.rawValue > 0, demand.current != DemandWord.unlimited {
                demand.add(more)
                // A value that found no demand is not queued; this demand may be the one that it was missing.
                deliverUnseen(from: origin, outermost)
            }
        }
        exit(outermost)
    }

    /// Delivers the latest value if the subscriber has demand and has not received it; leaves that to the thread
    /// inside, if any.
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

    // Always inlined: otherwise the bodies of `offer` for the two kinds of origins differ only in this call, and LLVM
    // merges them into one that receives the callee as a parameter, which costs 13 instructions per value.
    @inlinable
    @inline(__always)
    final func deliverUnseen(from origin: some StatefulOrigin<Output, Failure>, _ outermost: Bool) {
        // Checks again after each delivery, because the subscriber may have sent a newer value from inside it.
        while demand.current > 0, let (value, number) = origin.latest(after: seen), demand.take() {
            seen = number
            demand.add(deliver(value, outermost))
        }
    }
}

extension CurrentValueSubject: UpstreamKeepingSubject {}

extension CurrentValueSubject: CustomStringConvertible {
    /// The name of the type without its parameters.
    public var description: String { "CurrentValueSubject" }
}
