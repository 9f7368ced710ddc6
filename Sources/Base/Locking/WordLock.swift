public import Synchronization

/// A mutual exclusion lock of one word, stored inside the object that it guards.
///
/// It is for state that is accessed for a few instructions at a time and whose owner cannot afford an allocation for a
/// lock. An uncontended `lock`/`unlock` pair is two atomic instructions. A thread that finds the lock held sleeps on a
/// condition variable and never spins. The lock is not recursive, and the holder must not call out. The thread
/// sanitizer recognizes it by its atomic accesses.
@frozen
public struct WordLock: ~Copyable {
    // 0: free. 1: held. 2: held, and other threads may be asleep. The distinction saves `unlock` the visit to the
    // parking lot in the usual case.
    @usableFromInline let word: AtomicProperty<UInt32>

    /// Creates an unlocked lock.
    @inlinable
    public init() {
        word = AtomicProperty(0)
    }

    /// Waits until the calling thread holds the lock.
    @inlinable
    public borrowing func lock() {
        if !word.atomic.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
            lockContended()
        }
    }

    /// Releases the lock, which the calling thread must hold.
    @inlinable
    public borrowing func unlock() {
        if word.atomic.exchange(0, ordering: .releasing) == 2 {
            wake()
        }
    }

    /// Returns the result of `body`, which runs while the calling thread holds the lock.
    @inlinable
    public borrowing func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        lock()
        defer { unlock() }
        return try body()
    }

    @usableFromInline
    borrowing func lockContended() {
        let space = ParkingLot.space(for: address)
        space.lock()
        // This thread takes the lock with 2, not 1: it cannot know whether others still sleep. At worst that costs one
        // needless wake-up; with 1, the others would sleep forever.
        while word.atomic.exchange(2, ordering: .acquiring) != 0 {
            space.wait()
        }
        space.unlock()
    }

    @usableFromInline
    borrowing func wake() {
        ParkingLot.wakeAll(at: address)
    }

    /// The address of the word, which is stable because a lock is stored inside a class instance.
    private var address: UInt {
        borrowing get { word.atomic.storageAddress }
    }
}
