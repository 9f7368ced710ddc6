import Glibc

/// A value that only one thread at a time can reach.
///
/// One heap object holds the value and a POSIX mutex. The mutex is not recursive: a `withLock` inside the `withLock`
/// of the same lock deadlocks. Copies of a `Lock` share the value. A value without a size, such as `()`, works, but the
/// thread sanitizer takes an access to it for an access to the mutex beside it, and complains.
public struct Lock<Value>: @unchecked Sendable {
    // Sendable because the value is reached under the mutex only, and `withLock` is the only way to it.
    @usableFromInline let storage: LockStorage<Value>

    /// Puts `value` behind a new lock; the caller should hold no other way to reach mutable state in it.
    @inlinable
    public init(_ value: Value) {
        storage = LockStorage(value)
    }

    /// Runs `body` with exclusive access to the value and returns its result.
    ///
    /// References that lead to the guarded state must not leave `body`. Do not call out to unknown code inside it.
    @inlinable
    public func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        storage.lock()
        defer { storage.unlock() }
        return try body(&storage.value)
    }
}

/// The heap object of a ``Lock``.
@usableFromInline
final class LockStorage<Value> {
    /// Guarded by the mutex, which makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline
    init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "A mutex could not be made: error \(status)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @usableFromInline
    func lock() {
        let status = pthread_mutex_lock(mutex)
        precondition(status == 0, "A mutex could not be locked: error \(status)")
    }

    @usableFromInline
    func unlock() {
        let status = pthread_mutex_unlock(mutex)
        precondition(status == 0, "A mutex could not be unlocked: error \(status)")
    }
}
