import Glibc

/// Mutexes and condition variables for threads that wait for a one-word lock.
///
/// All locks of the process share a fixed number of parking spaces, and a lock finds its space by its address. Two
/// locks that share a space cause each other spurious wake-ups, nothing worse.
enum ParkingLot {
    private static let spaces: [ParkingSpace] = (0..<64).map { _ in ParkingSpace() }

    static func space(for address: UInt) -> ParkingSpace {
        // Multiplicative hashing spreads heap addresses, which differ mostly in their middle bits. The shift keeps six
        // bits, one value for each of the 64 spaces.
        let hash = (address >> 3) &* 0x9E37_79B9_7F4A_7C15
        return spaces[Int(hash >> 58)]
    }

    /// Wakes every thread that waits for the lock at `address`.
    ///
    /// The lock itself is not touched and may have been deallocated.
    static func wakeAll(at address: UInt) {
        let space = space(for: address)
        space.lock()
        // All of them, since locks with different addresses may share this space: waking one could wake a thread that
        // waits for another lock.
        space.wakeAll()
        space.unlock()
    }
}

/// A mutex with its condition variable.
final class ParkingSpace: @unchecked Sendable {
    // Sendable because POSIX mutexes and condition variables are made for sharing between threads, and the pointers
    // never change.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func lock() {
        pthread_mutex_lock(mutex)
    }

    func unlock() {
        pthread_mutex_unlock(mutex)
    }

    /// Releases the mutex, sleeps until another thread wakes this one, and locks the mutex again.
    func wait() {
        pthread_cond_wait(condition, mutex)
    }

    func wakeAll() {
        pthread_cond_broadcast(condition)
    }
}
