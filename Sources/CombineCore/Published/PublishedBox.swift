public import Locking

/// What all copies of a ``Published`` property share: the value, its subscribers and the announcer of changes.
@usableFromInline
final class PublishedBox<Value> {
    @usableFromInline let lock = WordLock()
    /// Held while a new value is sent to subscribers: two threads that set the property take turns, so that the values
    /// that are being sent are nested.
    @usableFromInline let gate = Gate()
    /// These are guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline var value: Value
    /// Changes with each value and is always odd.
    @exclusivity(unchecked) @usableFromInline var number: UInt32 = 1
    /// The value that is being sent, on the stack of the setter; the innermost one if a subscriber sets again.
    @exclusivity(unchecked) @usableFromInline var pending: UnsafePointer<Value>?
    @exclusivity(unchecked) @usableFromInline var connections = SlotList<SubjectConnection<Value, Never>>()
    @exclusivity(unchecked) @usableFromInline var willChange: ObservableObjectPublisher?
    /// Streams that have been assigned to the property; cancelled with it.
    @exclusivity(unchecked) @usableFromInline var feeds: ContiguousArray<PropertySubscriber<Value>> = []

    @inlinable
    init(_ value: Value) {
        self.value = value
    }

    deinit {
        stayOutOfClients()
        for feed in feeds { feed.cancel() }
    }

    @inlinable var current: Value {
        lock.withLock { value }
    }

    @inlinable
    func attach<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == Never {
        let connection = Connection(self, subscriber)
        let outermost = connection.enter()
        lock.withLock { connections.append(connection) }
        connection.open()
        connection.exit(outermost)
    }

    @inlinable
    func set(_ newValue: Value) {
        lock.lock()
        if let willChange {
            lock.unlock()
            willChange.send()
            lock.lock()
        }
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

    /// Delivers the value to be; inside the gate.
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
        lock.withLock { pending = outer }
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
        lock.lock()
        let removed = connections.remove(connection)
        lock.unlock()
        withExtendedLifetime(removed) {}
    }
}

extension PublishedBox: AnyPublishedStorage {
    package var valueType: Any.Type { Value.self }

    package var committedValue: Any { current }

    package func setValue(_ value: Any) -> Bool {
        guard let value = value as? Value else { return false }
        set(value)
        return true
    }

    package func observe(_ body: @escaping () -> Void) -> AnyCancellable {
        Published<Value>.Publisher(self).dropFirst().sink { _ in body() }
    }

    package func installWillChange(_ publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher {
        lock.withLock {
            let installed = willChange ?? publisher ?? ObservableObjectPublisher()
            willChange = installed
            return installed
        }
    }
}

extension PublishedBox: NamedSource, CustomStringConvertible {
    static var subscriptionName: String { "PublishedSubject" }

    /// The name under which the subscriptions of the property appear.
    @usableFromInline var description: String { PublishedBox.subscriptionName }
}
