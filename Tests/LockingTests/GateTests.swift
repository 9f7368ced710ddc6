import Glibc
import Synchronization
import Testing

@testable import Locking

@Suite struct GateTests {
    /// A gate and a counter that only one thread at a time may access.
    final class Guarded: @unchecked Sendable {
        // Sendable because `count` is accessed only inside the gate.
        let gate = Gate()
        var count = 0

        // `#expect` would copy the gate to capture it, and a gate cannot be copied, so the tests call these methods.
        func enter() -> Bool { gate.enter() }
        func leave() -> Bool { gate.leave() }
        func leaveMark() -> Bool { gate.leaveMark() }
        func enterOrMark() -> Gate.Passage { gate.enterOrMark() }

        /// Waits until a thread sleeps on the gate or the companion has finished, and returns whether a thread sleeps.
        func sleeps(_ companion: Companion) -> Bool {
            while gate.word.atomic.load(ordering: .acquiring) & Gate.sleepers == 0, !companion.isDone { sched_yield() }
            return gate.word.atomic.load(ordering: .acquiring) & Gate.sleepers != 0
        }

        /// Increments the count inside the gate, as a delivery would.
        func add() {
            let outermost = gate.enter()
            count += 1
            if outermost { _ = gate.leave() }
        }
    }

    @Test func `a thread that is inside may enter again, and leaves once`() {
        let guarded = Guarded()
        #expect(guarded.enter())
        #expect(!guarded.enter())
        guarded.add()
        #expect(guarded.leave() == false)
        #expect(guarded.enter())
        #expect(guarded.leave() == false)
    }

    @Test(arguments: [2, 4, 8])
    func `no update is lost when several threads use the gate`(threads: Int) {
        let guarded = Guarded()
        onThreads(threads) { _ in
            for _ in 0..<5_000 { guarded.add() }
        }
        #expect(guarded.count == threads * 5_000)
    }

    @Test func `a thread waits while another one is inside`() {
        let guarded = Guarded()
        let outermost = guarded.enter()
        let companion = Companion { guarded.add() }
        #expect(guarded.sleeps(companion))
        #expect(!companion.isDone)
        #expect(guarded.count == 0)
        if outermost { _ = guarded.leave() }
        #expect(companion.wait())
        #expect(guarded.count == 1)
    }

    @Test func `every sleeping thread eventually enters`() {
        let guarded = Guarded()
        let outermost = guarded.enter()
        let companions = (0..<6).map { _ in Companion { guarded.add() } }
        #expect(guarded.sleeps(companions[0]))
        if outermost { _ = guarded.leave() }
        for companion in companions { #expect(companion.wait()) }
        #expect(guarded.count == 6)
    }

    @Test func `no mark is left if no thread is inside`() {
        let guarded = Guarded()
        #expect(guarded.leaveMark() == false)
        #expect(guarded.enter())
        #expect(guarded.leave() == false)
    }

    @Test func `a mark is reported once to the thread that leaves`() {
        let guarded = Guarded()
        #expect(guarded.enter())
        #expect(guarded.leaveMark())
        #expect(guarded.leaveMark())
        #expect(guarded.leave())
        #expect(guarded.enter())
        #expect(guarded.leave() == false)
    }

    @Test func `a mark from another thread is reported to the thread inside`() {
        let guarded = Guarded()
        #expect(guarded.enter())
        let companion = Companion { #expect(guarded.leaveMark()) }
        #expect(companion.wait())
        #expect(guarded.leave())
    }

    @Test func `entering without waiting enters a free gate, nests, or leaves a mark`() {
        let guarded = Guarded()
        #expect(guarded.enterOrMark() == .outermost)
        #expect(guarded.enterOrMark() == .nested)
        let companion = Companion { #expect(guarded.enterOrMark() == .refused) }
        #expect(companion.wait())
        #expect(guarded.leave())
    }

    @Test func `marks and sleeping threads are tracked independently`() {
        let guarded = Guarded()
        #expect(guarded.enter())
        let sleeper = Companion { guarded.add() }
        #expect(guarded.sleeps(sleeper))
        let marker = Companion { _ = guarded.leaveMark() }
        #expect(marker.wait())
        #expect(guarded.leave())
        #expect(sleeper.wait())
        #expect(guarded.count == 1)
    }

    /// Uses a gate as links do: a thread adds work first, then the thread inside the gate does it.
    @Test(arguments: [2, 4])
    func `no work is lost between threads that leave a mark and threads that leave`(threads: Int) {
        let guarded = Guarded()
        let pending = Lock(0)
        @Sendable func work() {
            switch guarded.enterOrMark() {
            case .outermost:
                takeAll(pending, guarded)
                while guarded.leave() {
                    guard guarded.enterOrMark() == .outermost else { return }
                    takeAll(pending, guarded)
                }
            case .nested, .refused: return
            }
        }
        onThreads(threads) { _ in
            for _ in 0..<3_000 {
                pending.withLock { $0 += 1 }
                work()
            }
        }
        #expect(pending.withLock { $0 } == 0)
        #expect(guarded.count == threads * 3_000)
    }
}

/// Does the pending work. The caller must be inside the gate.
private func takeAll(_ pending: Lock<Int>, _ guarded: GateTests.Guarded) {
    let taken = pending.withLock { count in
        let taken = count
        count = 0
        return taken
    }
    guarded.count += taken
}
