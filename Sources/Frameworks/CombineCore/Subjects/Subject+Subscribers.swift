import Locking

extension PassthroughSubject {
    /// Whether the subject has a subscriber.
    package var hasSubscribers: Bool { lock.withLock { connections.count > 0 } }
}

extension CurrentValueSubject {
    /// Whether the subject has a subscriber.
    package var hasSubscribers: Bool { lock.withLock { connections.count > 0 } }
}
