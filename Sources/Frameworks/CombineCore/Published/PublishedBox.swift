public import Locking
public import StateCapture

/// The state that all copies of a ``Published`` property share: the value, its subscribers and the publisher of
/// changes.
@usableFromInline
final class PublishedBox<Value> {
    @usableFromInline let lock = WordLock()
    // Here, because it shares a word with the lock. Guarded by `lock`, like everything below the gate.
    /// The number of the latest value. It changes with each value and is always odd.
    @exclusivity(unchecked) @usableFromInline var number: UInt32 = 1
    // Held while a new value is sent to subscribers. Two threads that set the property take turns, so the values that
    // are being sent are strictly nested, and `pending` can refer to the innermost one.
    @usableFromInline let gate = Gate()
    // Everything below is guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline var value: Value
    /// The value that is being sent; the innermost one if a subscriber sets the property again.
    // A pointer to the setter's stack instead of another copy of the value. `publish` resets it before the setter
    // returns.
    @exclusivity(unchecked) @usableFromInline var pending: UnsafePointer<Value>?
    @exclusivity(unchecked) @usableFromInline var connections = SlotList<SubjectConnection<Value, Never>>()
    @exclusivity(unchecked) @usableFromInline var willChange: ObservableObjectPublisher?
    /// The streams that were assigned to the property. They are cancelled when it is deallocated.
    @exclusivity(unchecked) @usableFromInline var feeds: ContiguousArray<PropertySubscriber<Value>> = []

    @inlinable
    init(_ value: Value) {
        self.value = value
        if StateRegistry.isWiring { registerCreated() }
    }

    @inlinable
    init(uncaptured value: Value) {
        self.value = value
    }

    deinit {
        for feed in feeds { feed.cancel() }
    }

    @inlinable var current: Value {
        lock.withLock { value }
    }

    @inlinable
    func attach<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == Never {
        if StateRegistry.isWiring { return receiveWhileWiring(subscriber) }
        attach(Connection(self, subscriber), subscriber)
    }

    /// Opens and attaches a connection.
    @inlinable
    @inline(__always)
    func attach<S: Subscriber>(_ connection: Connection<PublishedBox, S>, _ subscriber: S)
    where S.Input == Value, S.Failure == Never {
        let outermost = connection.enter()
        lock.withLock { connections.append(connection) }
        connection.open()
        connection.exit(outermost)
    }

    @inlinable
    func set(_ newValue: Value) {
        lock.lock()
        if let willChange {
            // Announced with no lock held, since observers read the property.
            lock.unlock()
            willChange.send()
            lock.lock()
        }
        // Without subscribers, setting the property takes the lock once and delivers nothing.
        if connections.count > 0 {
            lock.unlock()
            let outermost = gate.enter()
            withUnsafePointer(to: newValue) { publish($0) }
            store(newValue)
            if outermost { _ = gate.leave() }
        } else {
            let former = value
            value = newValue
            lock.unlock()
            // Released outside the lock: the `deinit` of the old value may run foreign code that uses this property.
            withExtendedLifetime(former) {}
        }
    }

    @inlinable
    func store(_ newValue: Value) {
        lock.lock()
        let former = value
        value = newValue
        lock.unlock()
        withExtendedLifetime(former) {}
    }

    /// Delivers the value that is about to be stored. Must be called inside the gate.
    @inlinable
    func publish(_ newValue: UnsafePointer<Value>) {
        lock.lock()
        let outer = pending
        pending = newValue
        number &+= 2
        let number = number
        if let only = connections.only {
            lock.unlock()
            only.offer(newValue.pointee, number, from: self)
        } else {
            let snapshot = connections.many
            lock.unlock()
            for case let connection? in snapshot {
                connection.offer(newValue.pointee, number, from: self)
            }
        }
        // A subscriber that set the property from inside left its own pointer, which is no longer valid; restore the
        // outer one.
        lock.withLock { pending = outer }
    }

    func installWillChange(_ publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher {
        lock.withLock {
            let installed = willChange ?? publisher ?? ObservableObjectPublisher()
            willChange = installed
            return installed
        }
    }

    @usableFromInline
    func keep(_ feed: PropertySubscriber<Value>) {
        lock.withLock { feeds.append(feed) }
    }

    @usableFromInline
    func drop(_ feed: PropertySubscriber<Value>) {
        let dropped = lock.withLock {
            feeds.firstIndex { $0 === feed }.map { feeds.remove(at: $0) }
        }
        withExtendedLifetime(dropped) {}
    }
}

extension PublishedBox: StatefulOrigin {
    @inlinable
    func latest(after seen: UInt32) -> (value: Value, number: UInt32)? {
        // A subscriber that arrives during a delivery must receive the new value, although the property still stores
        // the old one.
        lock.withLock { number == seen ? nil : (pending?.pointee ?? value, number) }
    }

    @inlinable
    func grant(_ demand: Subscribers.Demand, to connection: SubjectConnection<Value, Never>) {
        demand.requirePositive()
        connection.demand.add(demand)
        connection.catchUp(with: self)
    }

    @inlinable
    func catchUp(_ connection: SubjectConnection<Value, Never>) {
        connection.catchUp(with: self)
    }

    @inlinable
    func detach(_ connection: SubjectConnection<Value, Never>) {
        let removed = lock.withLock { connections.remove(connection) }
        withExtendedLifetime(removed) {}
    }
}

extension PublishedBox: NamedSource, CustomStringConvertible {
    static var subscriptionName: String { "PublishedSubject" }

    /// The name that the property's subscriptions show.
    @usableFromInline var description: String { PublishedBox.subscriptionName }
}
