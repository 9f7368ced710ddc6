import Locking

extension CurrentValueSubject {
    /// Puts a captured value back without sending it.
    package func restoreValue(_ value: Output) {
        let former = lock.withLock {
            defer { latest = value }
            return latest
        }
        // Released after unlocking: its deinitializer may run foreign code.
        withExtendedLifetime(former) {}
    }
}
