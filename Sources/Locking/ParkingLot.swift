import Glibc

/// Where threads sleep that wait for a one-word lock.
///
/// A fixed number of mutex and condition pairs is shared by all locks of the process; a lock finds its pair by its
/// address. Two locks that share a pair cost each other spurious wake-ups, nothing else.
enum ParkingLot {
    private static let spaces: [ParkingSpace] = (0..<64).map { _ in ParkingSpace() }

    static func space(for address: UInt) -> ParkingSpace {
        // Multiplicative hashing: heap addresses differ in their middle bits.
        let hash = (address >> 3) &* 0x9E37_79B9_7F4A_7C15
        return spaces[Int(hash >> 58)]
    }

    /// Wakes every thread that waits for the lock at `address`; the lock itself is not touched, it may be gone.
    static func wakeAll(at address: UInt) {
        let space = space(for: address)
        space.lock()
        space.wakeAll()
        space.unlock()
    }
}

/// One mutex with its condition variable.
final class ParkingSpace: @unchecked Sendable {
    // Sendable because POSIX mutexes and conditions are made to be shared; the pointers never change.
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

    /// Sleeps until woken, with the mutex given back meanwhile.
    func wait() {
        pthread_cond_wait(condition, mutex)
    }

    func wakeAll() {
        pthread_cond_broadcast(condition)
    }
}
