import Locking

extension PassthroughSubject {
    /// Whether anybody is subscribed.
    package var hasSubscribers: Bool { lock.withLock { connections.count > 0 } }
}

extension CurrentValueSubject {
    /// Whether anybody is subscribed.
    package var hasSubscribers: Bool { lock.withLock { connections.count > 0 } }
}
