import Glibc
import Synchronization
import Testing

@testable import Locking

@Suite struct GateTests {
    /// A gate with something that only one thread at a time may touch.
    final class Guarded: @unchecked Sendable {
        // Sendable because `count` is touched inside the gate only.
        let gate = Gate()
        var count = 0

        // The gate cannot be copied, so an expectation cannot take it apart.
        func enter() -> Bool { gate.enter() }
        func leave() -> Bool { gate.leave() }
        func leaveMark() -> Bool { gate.leaveMark() }
        func enterOrMark() -> Gate.Passage { gate.enterOrMark() }

        /// Returns whether a thread sleeps until the gate is free, once one does or the companion has come to an end.
        func sleeps(_ companion: Companion) -> Bool {
            while gate.word.atomic.load(ordering: .acquiring) & Gate.sleepers == 0, !companion.isDone { sched_yield() }
            return gate.word.atomic.load(ordering: .acquiring) & Gate.sleepers != 0
        }

        /// Touches the count as a delivery does.
        func add() {
            let outermost = gate.enter()
            count += 1
            if outermost { _ = gate.leave() }
        }
    }

    @Test func `the thread inside may enter again, and leaves once`() {
        let guarded = Guarded()
        #expect(guarded.enter())
        #expect(!guarded.enter())
        guarded.add()
        #expect(guarded.leave() == false)
        #expect(guarded.enter())
        #expect(guarded.leave() == false)
    }

    @Test(arguments: [2, 4, 8])
    func `every change of several threads counts`(threads: Int) {
        let guarded = Guarded()
        onThreads(threads) { _ in
            for _ in 0..<5_000 { guarded.add() }
        }
        #expect(guarded.count == threads * 5_000)
    }

    @Test func `a thread waits for as long as another one is inside`() {
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

    @Test func `all of several sleepers get in`() {
        let guarded = Guarded()
        let outermost = guarded.enter()
        let companions = (0..<6).map { _ in Companion { guarded.add() } }
        #expect(guarded.sleeps(companions[0]))
        if outermost { _ = guarded.leave() }
        for companion in companions { #expect(companion.wait()) }
        #expect(guarded.count == 6)
    }

    @Test func `nobody inside finds no mark`() {
        let guarded = Guarded()
        #expect(guarded.leaveMark() == false)
        #expect(guarded.enter())
        #expect(guarded.leave() == false)
    }

    @Test func `a mark is told once to the thread that leaves`() {
        let guarded = Guarded()
        #expect(guarded.enter())
        #expect(guarded.leaveMark())
        #expect(guarded.leaveMark())
        #expect(guarded.leave())
        #expect(guarded.enter())
        #expect(guarded.leave() == false)
    }

    @Test func `a mark from another thread is told to the thread inside`() {
        let guarded = Guarded()
        #expect(guarded.enter())
        let companion = Companion { #expect(guarded.leaveMark()) }
        #expect(companion.wait())
        #expect(guarded.leave())
    }

    @Test func `who must not wait enters a free gate, is inside already, or leaves a mark`() {
        let guarded = Guarded()
        #expect(guarded.enterOrMark() == .outermost)
        #expect(guarded.enterOrMark() == .nested)
        let companion = Companion { #expect(guarded.enterOrMark() == .refused) }
        #expect(companion.wait())
        #expect(guarded.leave())
    }

    @Test func `marks and sleepers do not hide each other`() {
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

    /// The way that links use a gate: work is put down first, then somebody who is inside does it.
    @Test(arguments: [2, 4])
    func `no work is lost between those who mark and those who leave`(threads: Int) {
        let guarded = Guarded()
        let put = Lock(0)
        @Sendable func work() {
            switch guarded.enterOrMark() {
            case .outermost:
                takeAll(put, guarded)
                while guarded.leave() {
                    guard guarded.enterOrMark() == .outermost else { return }
                    takeAll(put, guarded)
                }
            case .nested, .refused: return
            }
        }
        onThreads(threads) { _ in
            for _ in 0..<3_000 {
                put.withLock { $0 += 1 }
                work()
            }
        }
        #expect(put.withLock { $0 } == 0)
        #expect(guarded.count == threads * 3_000)
    }
}

/// Inside the gate: does what has been put down.
private func takeAll(_ put: Lock<Int>, _ guarded: GateTests.Guarded) {
    let taken = put.withLock { count in
        let taken = count
        count = 0
        return taken
    }
    guarded.count += taken
}
