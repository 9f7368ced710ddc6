public import Locking
public import StateCapture

/// A publisher that announces that an object is about to change.
///
/// It notifies every subscriber, regardless of demand, in the order of subscription. It never ends.
public final class ObservableObjectPublisher: Publisher {
    /// An announcement carries no value.
    public typealias Output = Void
    /// An announcement cannot fail.
    public typealias Failure = Never

    @usableFromInline let lock = WordLock()
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline var connections = SlotList<SubjectConnection<Void, Never>>()

    /// Creates a publisher without subscribers.
    @inlinable
    public init() {}

    /// Attaches `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
        if StateRegistry.isWiring { return receiveWhileWiring(subscriber) }
        attach(Connection(self, subscriber), subscriber)
    }

    /// Opens and attaches a connection.
    @inlinable
    @inline(__always)
    func attach<S: Subscriber>(_ connection: Connection<ObservableObjectPublisher, S>, _ subscriber: S)
    where S.Input == Void, S.Failure == Never {
        let outermost = connection.enter()
        lock.withLock { connections.append(connection) }
        connection.open()
        connection.exit(outermost)
    }

    /// Announces a change to the current subscribers.
    public func send() {
        lock.lock()
        if let only = connections.only {
            lock.unlock()
            only.signal(())
            return
        }
        guard connections.count > 0 else { return lock.unlock() }
        let snapshot = connections.many
        lock.unlock()
        for case let connection? in snapshot {
            connection.signal(())
        }
    }
}

extension ObservableObjectPublisher: PostponingOrigin {
    @usableFromInline
    func grant(_ demand: Subscribers.Demand, to connection: SubjectConnection<Void, Never>) {
        // Announcements ignore demand, as Apple's do: an object must not change unannounced.
    }

    /// Returns the only child of the mirror of a connection, the subscriber: announcements ignore demand.
    @usableFromInline
    static func children(_ source: Any, _ subscriber: Any, _ demand: Subscribers.Demand) -> [Mirror.Child] {
        [("downstream", subscriber)]
    }

    @usableFromInline
    func catchUp(_ connection: SubjectConnection<Void, Never>) {}

    @usableFromInline
    func detach(_ connection: SubjectConnection<Void, Never>) {
        let removed = lock.withLock { connections.remove(connection) }
        withExtendedLifetime(removed) {}
    }
}
