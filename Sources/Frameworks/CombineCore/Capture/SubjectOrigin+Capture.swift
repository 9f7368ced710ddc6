import Locking
public import StateCapture

extension Connection: StatefulPart {
    @usableFromInline static var partName: StaticString { "subject" }

    @usableFromInline static var keyName: String { LinkName.of(Origin.self) }

    /// The place among the connections of the subject. A subscriber that arrived after the wiring is behind the others, and
    /// is so again in a restored machine. The place is inverted, and so negative, if the latest value waits for demand.
    @usableFromInline var partState: ValueState<Int32>? {
        let outstanding = demand.current
        // Nearly all: a subscriber with unlimited demand has received everything.
        if outstanding == DemandWord.unlimited { return ValueState(place) }
        if outstanding == DemandWord.ended { return nil }
        return state {
            let isBehind = lock.withLock { origin }?.hasUnseenValue(for: self) ?? false
            return ValueState(isBehind ? ~place : place)
        }
    }

    @usableFromInline
    func restore(_ state: ValueState<Int32>?) {
        guard let state else { return endRestored(subscriber) }
        // Not after the wiring: the place in the list of the subject is in use then.
        if StateRegistry.isRestoring { place = state.value.value }
    }
}

/// A source whose connections attach when a restored machine is wired.
@usableFromInline
protocol PostponingOrigin<Output, Failure>: SubjectOrigin {
    /// Marks the current value as seen by a connection, so that it is not sent again.
    func skipCurrentValue(_ connection: SubjectConnection<Output, Failure>)

    /// Registers the source itself, if it has a state.
    func willRegister(with registry: StateRegistry)

    /// Reports work of the source that was interrupted, and for which a connection waits.
    func reportInterruption(to registry: StateRegistry)

    /// Opens and attaches a connection.
    func attach<S: Subscriber>(_ connection: Connection<Self, S>, _ subscriber: S)
    where S.Input == Output, S.Failure == Failure

    /// Adds a connection that has sent its subscription. It does not receive what was sent before.
    func attach(restored connection: SubjectConnection<Output, Failure>)
}

extension PostponingOrigin {
    @usableFromInline
    func skipCurrentValue(_ connection: SubjectConnection<Output, Failure>) {}

    @usableFromInline
    func willRegister(with registry: StateRegistry) {}

    @usableFromInline
    func reportInterruption(to registry: StateRegistry) {}

    /// Attaches a subscriber of a machine that is being wired.
    // Inlinable, so that the code of a session is specialized, too; and never inlined, so that the code of other
    // subscriptions contains no more than a branch.
    @inlinable
    @inline(never)
    func receiveWhileWiring<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        let connection = Connection(self, subscriber)
        if !postpone(connection) { attach(connection, subscriber) }
    }

    /// Registers the connection of a subscriber of a machine that is being wired. If it is restored, sends the subscription
    /// now, and attaches the connection after the wiring, so that nothing that is sent meanwhile reaches it.
    ///
    /// - Returns: Whether the connection is restored. If not, the caller attaches it.
    @usableFromInline
    func postpone<S: Subscriber>(_ connection: Connection<Self, S>) -> Bool
    where S.Input == Output, S.Failure == Failure {
        guard let registry = StateRegistry.current else { return false }
        willRegister(with: registry)
        registry.register(connection)
        let isBehind = connection.place < 0
        if isBehind { connection.place = ~connection.place }
        if connection.demand.isEnded { return true }
        guard registry.isRestoring else { return false }
        skipCurrentValue(connection)
        reportInterruption(to: registry)
        let outermost = connection.enter()
        connection.open()
        connection.exit(outermost)
        // The connection is in no list yet, so the place is the stored one.
        registry.afterWiring(order: Int(connection.place)) {
            if connection.demand.isEnded { return }
            self.attach(restored: connection)
            // As a connection that has received nothing, so that the next request finds the latest value.
            if isBehind { connection.seen = 0 }
        }
        return true
    }
}

extension PassthroughSubject {
    @usableFromInline
    func attach(restored connection: SubjectConnection<Output, Failure>) {
        lock.lock()
        let ending = completion
        if ending == nil { connections.append(connection) }
        lock.unlock()
        if let ending { connection.finish(ending) }
    }
}

extension CurrentValueSubject {
    @usableFromInline
    func skipCurrentValue(_ connection: SubjectConnection<Output, Failure>) {
        connection.seen = lock.withLock { number }
    }

    @usableFromInline
    func attach(restored connection: SubjectConnection<Output, Failure>) {
        lock.lock()
        let ending = completion
        if ending == nil { connections.append(connection) }
        // The wiring may have changed the value, which is about to be put back.
        connection.seen = number
        lock.unlock()
        if let ending { connection.finish(ending) }
    }
}

extension PublishedBox {
    @usableFromInline
    func skipCurrentValue(_ connection: SubjectConnection<Value, Never>) {
        connection.seen = lock.withLock { number }
    }

    @usableFromInline
    func attach(restored connection: SubjectConnection<Value, Never>) {
        lock.withLock {
            connections.append(connection)
            connection.seen = number
        }
    }
}

extension ObservableObjectPublisher {
    @usableFromInline
    func attach(restored connection: SubjectConnection<Void, Never>) {
        lock.withLock { connections.append(connection) }
    }
}
