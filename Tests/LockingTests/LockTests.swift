import Locking
import Synchronization
import Testing

@Suite struct LockTests {
    struct LockedError: Error, Equatable {}

    @Test func `no update is lost when several threads use the lock`() {
        let lock = Lock(0)
        onThreads(4) { _ in
            for _ in 0..<5_000 { lock.withLock { $0 += 1 } }
        }
        #expect(lock.withLock { $0 } == 20_000)
    }

    @Test func `only one thread at a time holds the lock`() {
        // Atomics rather than locks, because this test checks the lock.
        let inside = Atomic(0)
        let wasShared = Atomic(false)
        // Not `()`, because the thread sanitizer confuses a zero-sized value with adjacent memory.
        let lock = Lock(0)
        onThreads(4) { _ in
            for _ in 0..<500 {
                lock.withLock { _ in
                    if inside.add(1, ordering: .sequentiallyConsistent).newValue > 1 {
                        wasShared.store(true, ordering: .sequentiallyConsistent)
                    }
                    inside.subtract(1, ordering: .sequentiallyConsistent)
                }
            }
        }
        let wasEverShared = wasShared.load(ordering: .sequentiallyConsistent)
        #expect(!wasEverShared)
    }

    @Test func `copies of a lock share its value`() {
        let lock = Lock([1])
        let copy = lock
        copy.withLock { $0.append(2) }
        #expect(lock.withLock { $0 } == [1, 2])
    }

    @Test func `an error is rethrown with its type, and the lock is released`() {
        let lock = Lock(1)
        func throwLocked() throws(LockedError) {
            try lock.withLock { value throws(LockedError) in
                value = 2
                throw LockedError()
            }
        }
        #expect(throws: LockedError()) { try throwLocked() }
        #expect(lock.withLock { $0 } == 2)
    }

    @Test func `a value taken out of a lock is deallocated after the lock is released`() {
        final class DeinitNotifier {
            let notify: () -> Void
            init(_ notify: @escaping () -> Void) { self.notify = notify }
            deinit { notify() }
        }
        let count = Lock(0)
        let lock = Lock<DeinitNotifier?>(nil)
        func makeNotifier() -> DeinitNotifier {
            // Acquires the lock that guarded the object, which would deadlock while that lock is held.
            DeinitNotifier { lock.withLock { _ in count.withLock { $0 += 1 } } }
        }
        lock.withLock { $0 = makeNotifier() }
        var former = lock.withLock { value in
            let taken = value
            value = nil
            return taken
        }
        #expect(former != nil)
        #expect(count.withLock { $0 } == 0)
        former = nil
        #expect(count.withLock { $0 } == 1)
        #expect(lock.withLock { $0 == nil })
    }
}
