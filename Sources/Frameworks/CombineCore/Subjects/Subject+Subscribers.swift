import Locking

extension PassthroughSubject {
    package var hasSubscribers: Bool { lock.withLock { connections.count > 0 } }
}

extension CurrentValueSubject {
    package var hasSubscribers: Bool { lock.withLock { connections.count > 0 } }
}
