public import Synchronization

/// A mutual exclusion lock of one word, stored where it is used.
///
/// For state that is touched for a few instructions at a time and whose owner cannot afford an allocation for a lock.
/// An uncontended `lock`/`unlock` pair is two atomic instructions; a thread that finds the lock held sleeps on a
/// condition variable of the ``ParkingLot`` and never spins. It is not recursive, and nothing may be called out to
/// while it is held. The thread sanitizer sees it through its atomic accesses.
@frozen
public struct WordLock: ~Copyable {
    /// 0: free, 1: held, 2: held and somebody may be asleep.
    @usableFromInline let word: Atomic<UInt32>

    /// Makes a lock that nobody holds.
    @inlinable
    public init() {
        word = Atomic(0)
    }

    /// Waits until the calling thread holds the lock.
    @inlinable
    public borrowing func lock() {
        if !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
            lockContended()
        }
    }

    /// Gives the lock back; the caller must hold it.
    @inlinable
    public borrowing func unlock() {
        if word.exchange(0, ordering: .releasing) == 2 {
            wake()
        }
    }

    /// Runs `body` while the calling thread holds the lock.
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
        while word.exchange(2, ordering: .acquiring) != 0 {
            space.wait()
        }
        space.unlock()
    }

    @usableFromInline
    borrowing func wake() {
        ParkingLot.wakeAll(at: address)
    }

    /// Where the word lies: stable, since a lock lives inside a class instance.
    private var address: UInt {
        borrowing get { word.storageAddress }
    }
}
