import Locking
import Synchronization
import Testing

@Suite struct LockTests {
    struct Refusal: Error, Equatable {}

    @Test func `every change of several threads counts`() {
        let lock = Lock(0)
        onThreads(4) { _ in
            for _ in 0..<5_000 { lock.withLock { $0 += 1 } }
        }
        #expect(lock.withLock { $0 } == 20_000)
    }

    @Test func `one thread at a time is inside`() {
        // Not locks, which this test is about.
        let inside = Atomic(0)
        let wasShared = Atomic(false)
        // Not `()`: the thread sanitizer cannot tell a value without a size from what lies beside it.
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

    @Test func `copies share the value`() {
        let lock = Lock([1])
        let copy = lock
        copy.withLock { $0.append(2) }
        #expect(lock.withLock { $0 } == [1, 2])
    }

    @Test func `an error comes out with its type, and the lock is free again`() {
        let lock = Lock(1)
        func refuse() throws(Refusal) {
            try lock.withLock { value throws(Refusal) in
                value = 2
                throw Refusal()
            }
        }
        #expect(throws: Refusal()) { try refuse() }
        #expect(lock.withLock { $0 } == 2)
    }

    @Test func `a value that is taken out goes when no lock is held`() {
        final class Telling {
            let tell: () -> Void
            init(_ tell: @escaping () -> Void) { self.tell = tell }
            deinit { tell() }
        }
        let count = Lock(0)
        let lock = Lock<Telling?>(nil)
        func makeTelling() -> Telling {
            // Takes the lock that guarded it, which would never return while that is held.
            Telling { lock.withLock { _ in count.withLock { $0 += 1 } } }
        }
        lock.withLock { $0 = makeTelling() }
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
