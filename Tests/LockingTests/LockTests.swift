import Locking
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
        let inside = Lock(0)
        let most = Lock(0)
        // Not `()`: the thread sanitizer cannot tell a value without a size from what lies beside it.
        let lock = Lock(0)
        onThreads(4) { _ in
            for _ in 0..<500 {
                lock.withLock { _ in
                    let now = inside.withLock { count in
                        count += 1
                        return count
                    }
                    most.withLock { $0 = max($0, now) }
                    inside.withLock { $0 -= 1 }
                }
            }
        }
        #expect(most.withLock { $0 } == 1)
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
        let lock = Lock<Telling?>(Telling { count.withLock { $0 += 1 } })
        let former = lock.withLock { value in
            let taken = value
            value = nil
            return taken
        }
        #expect(count.withLock { $0 } == 0)
        withExtendedLifetime(former) {}
        lock.withLock { $0 = Telling { count.withLock { $0 += 1 } } }
        #expect(lock.withLock { $0 != nil })
    }
}
