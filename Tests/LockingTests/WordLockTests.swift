import Glibc
import Synchronization
import Testing

@testable import Locking

@Suite struct WordLockTests {
    /// A counter behind a one-word lock.
    final class Counter: @unchecked Sendable {
        // Sendable because `count` is touched under `lock` only.
        let lock = WordLock()
        private var count = 0

        func add() {
            lock.lock()
            count += 1
            lock.unlock()
        }

        var value: Int { lock.withLock { count } }

        /// Returns whether a thread sleeps until the lock is free, once one does or the companion has come to an end.
        func sleeps(_ companion: Companion) -> Bool {
            while lock.word.atomic.load(ordering: .acquiring) != 2, !companion.isDone { sched_yield() }
            return lock.word.atomic.load(ordering: .acquiring) == 2
        }
    }

    struct Refusal: Error, Equatable {}

    @Test(arguments: [2, 4, 8])
    func `every change of several threads counts`(threads: Int) {
        let counter = Counter()
        onThreads(threads) { _ in
            for _ in 0..<5_000 { counter.add() }
        }
        #expect(counter.value == threads * 5_000)
    }

    @Test func `a thread waits for as long as another one holds the lock`() {
        let counter = Counter()
        counter.lock.lock()
        let companion = Companion { counter.add() }
        #expect(counter.sleeps(companion))
        #expect(!companion.isDone)
        counter.lock.unlock()
        #expect(companion.wait())
        #expect(counter.value == 1)
    }

    @Test func `all of several sleepers get their turn`() {
        let counter = Counter()
        counter.lock.lock()
        let companions = (0..<6).map { _ in Companion { counter.add() } }
        #expect(counter.sleeps(companions[0]))
        counter.lock.unlock()
        for companion in companions { #expect(companion.wait()) }
        #expect(counter.value == 6)
    }

    @Test func `locks that sleep in the same place do not take each other's turn`() {
        // More locks than there are places to sleep.
        let counters = (0..<200).map { _ in Counter() }
        onThreads(4) { index in
            for round in 0..<2_000 { counters[(round * 7 + index) % counters.count].add() }
        }
        #expect(counters.map(\.value).reduce(0, +) == 8_000)
    }

    @Test func `an error comes out with its type, and the lock is free again`() {
        let counter = Counter()
        func refuse() throws(Refusal) {
            try counter.lock.withLock { () throws(Refusal) in throw Refusal() }
        }
        #expect(throws: Refusal()) { try refuse() }
        counter.add()
        #expect(counter.value == 1)
    }

    @Test func `the result comes out`() {
        #expect(Counter().lock.withLock { 5 } == 5)
    }
}
