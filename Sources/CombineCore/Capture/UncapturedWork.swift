import Locking

// The publishers that values have led to are not captured. A machine that would lose one must stay in memory.

extension FlatMapConduit {
    /// Whether a publisher is in flight.
    @usableFromInline var hasUncapturedWork: Bool { lock.withLock { children.count > 0 } }
}

extension SwitchConduit {
    /// Whether a publisher is in flight.
    @usableFromInline var hasUncapturedWork: Bool { lock.withLock { latest != nil } }
}
