import Glibc
import Synchronization
import Testing

@testable import Locking

@Suite struct WordLockTests {
    /// A counter behind a one-word lock.
    final class Counter: @unchecked Sendable {
        // Sendable because `count` is accessed only under `lock`.
        let lock = WordLock()
        private var count = 0

        func add() {
            lock.lock()
            count += 1
            lock.unlock()
        }

        var value: Int { lock.withLock { count } }

        /// Waits until a thread sleeps on the lock or the companion has finished, and returns whether a thread sleeps.
        func sleeps(_ companion: Companion) -> Bool {
            while lock.word.atomic.load(ordering: .acquiring) != 2, !companion.isDone { sched_yield() }
            return lock.word.atomic.load(ordering: .acquiring) == 2
        }
    }

    struct LockedError: Error, Equatable {}

    @Test(arguments: [2, 4, 8])
    func `no update is lost when several threads use the lock`(threads: Int) {
        let counter = Counter()
        onThreads(threads) { _ in
            for _ in 0..<5_000 { counter.add() }
        }
        #expect(counter.value == threads * 5_000)
    }

    @Test func `a thread waits while another one holds the lock`() {
        let counter = Counter()
        counter.lock.lock()
        let companion = Companion { counter.add() }
        #expect(counter.sleeps(companion))
        #expect(!companion.isDone)
        counter.lock.unlock()
        #expect(companion.wait())
        #expect(counter.value == 1)
    }

    @Test func `every sleeping thread eventually acquires the lock`() {
        let counter = Counter()
        counter.lock.lock()
        let companions = (0..<6).map { _ in Companion { counter.add() } }
        #expect(counter.sleeps(companions[0]))
        counter.lock.unlock()
        for companion in companions { #expect(companion.wait()) }
        #expect(counter.value == 6)
    }

    @Test func `locks that share a condition variable do not consume each other's wakeups`() {
        // More locks than the parking lot has condition variables.
        let counters = (0..<200).map { _ in Counter() }
        onThreads(4) { index in
            for round in 0..<2_000 { counters[(round * 7 + index) % counters.count].add() }
        }
        #expect(counters.map(\.value).reduce(0, +) == 8_000)
    }

    @Test func `an error is rethrown with its type, and the lock is released`() {
        let counter = Counter()
        func throwLocked() throws(LockedError) {
            try counter.lock.withLock { () throws(LockedError) in throw LockedError() }
        }
        #expect(throws: LockedError()) { try throwLocked() }
        counter.add()
        #expect(counter.value == 1)
    }

    @Test func `withLock returns the result of its closure`() {
        #expect(Counter().lock.withLock { 5 } == 5)
    }
}
