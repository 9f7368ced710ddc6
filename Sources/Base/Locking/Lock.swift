import Glibc

/// A value that only one thread at a time can access.
///
/// One heap object holds the value and a POSIX mutex. Copies of a `Lock` share the value. The mutex is not recursive:
/// calling `withLock` inside `withLock` of the same lock deadlocks. For a zero-sized value, such as `()`, the thread
/// sanitizer reports a false race, because it mistakes an access to the value for an access to the mutex next to it.
public struct Lock<Value>: @unchecked Sendable {
    // Sendable because the value is accessed only under the mutex, and only through `withLock`.
    @usableFromInline let storage: LockStorage<Value>

    /// Creates a lock that guards `value`. The caller should keep no other reference to mutable state in `value`.
    @inlinable
    public init(_ value: Value) {
        storage = LockStorage(value)
    }

    /// Returns the result of `body`, which has exclusive access to the value while it runs.
    ///
    /// References to the guarded state must not leave `body`. Do not call unknown code inside it.
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
// A POSIX mutex rather than `Synchronization.Mutex`: the thread sanitizer does not see the latter and would report
// every guarded access as a race.
@usableFromInline
final class LockStorage<Value> {
    // Guarded by the mutex, which makes every access exclusive. The dynamic exclusivity check would repeat that proof
    // at run time.
    @exclusivity(unchecked) @usableFromInline var value: Value
    // Allocated separately: a mutex must not move, and a stored property of a Swift class has no guaranteed address.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline
    init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "Could not initialize a mutex: error \(status)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @usableFromInline
    func lock() {
        let status = pthread_mutex_lock(mutex)
        precondition(status == 0, "Could not lock a mutex: error \(status)")
    }

    @usableFromInline
    func unlock() {
        let status = pthread_mutex_unlock(mutex)
        precondition(status == 0, "Could not unlock a mutex: error \(status)")
    }
}
