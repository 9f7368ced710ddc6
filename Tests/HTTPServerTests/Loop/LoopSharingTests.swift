import CLinux
import HTTPModel
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPServer

/// Loops that share a thread. Timing decides when a loop is attached, so the tests wait for it. Their results
/// do not depend on that moment.
@Suite struct LoopSharingTests {
    /// A primary loop and a secondary loop that may be attached to it.
    ///
    /// Sendable because the loops are, and all other properties are accessed only on them.
    private struct Pair: Sendable {
        let primaryLoop: EpollEventLoop
        let secondaryLoop: EpollEventLoop

        init(primaryLoop: EpollEventLoop, secondaryLoop: EpollEventLoop) {
            (self.primaryLoop, self.secondaryLoop) = (primaryLoop, secondaryLoop)
        }

        init() throws {
            let primaryLoop = try EpollEventLoop(index: 0, count: 2)
            self.init(
                primaryLoop: primaryLoop,
                secondaryLoop: try EpollEventLoop(index: 1, count: 2, primaryLoop: primaryLoop))
        }

        /// Waits until the secondary loop is attached.
        func awaitSharing() async throws { try await awaitSharing { await sharesThread } }

        /// Waits until a condition is met that the secondary loop meets while it is attached. Checks only occasionally, because the
        /// loop has to be idle to be attached.
        func awaitSharing(until isMet: () async throws -> Bool) async throws {
            let isMet = try await eventually {
                // On a busy machine, the primary loop may stall at least once in each second, after which it attaches no loops for a second.
                primaryLoop.attachesLoopsFrom.store(0, ordering: .relaxed)
                try await Task.sleep(for: .milliseconds(15))
                return try await isMet()
            }
            #expect(isMet)
        }

        /// Whether tasks of the secondary loop run on the primary loop's thread.
        var sharesThread: Bool {
            get async { await run(secondaryLoop) { [primaryLoop] in primaryLoop.isCurrent } }
        }

        func run<Value: Sendable>(
            _ loop: EpollEventLoop, _ work: @escaping @Sendable () -> Value
        ) async -> Value {
            await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: work()) } }
        }

        func stop() async {
            for loop in [secondaryLoop, primaryLoop] {
                await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
            }
        }

        /// Blocks the primary loop for a while, as a long turn does.
        func stall() async {
            await run(primaryLoop) {
                let end = granary_monotonic_nanoseconds() + ThreadLoad.maxRoundTime + 5_000_000
                while granary_monotonic_nanoseconds() < end {}
            }
        }
    }

    @Test func `an idle loop is attached, and in its tasks both it and the primary loop are current`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let (primaryLoop, secondaryLoop) = (pair.primaryLoop, pair.secondaryLoop)
        // On a slow machine, they may separate in between.
        try await pair.awaitSharing {
            await pair.run(secondaryLoop) { [secondaryLoop.isCurrent, primaryLoop.isCurrent] } == [true, true]
        }
        #expect(await pair.run(primaryLoop) { [secondaryLoop.isCurrent, primaryLoop.isCurrent] } == [false, true])
        #expect(!secondaryLoop.isCurrent && !primaryLoop.isCurrent)
        await pair.stop()
    }

    @Test func `a primary loop that stalls detaches the others and later attaches them again`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        // A second later it may be attached again, and the check may be late.
        let isMet = await eventually {
            await pair.stall()
            return await !pair.sharesThread
        }
        #expect(isMet)
        let (primaryLoop, secondaryLoop) = (pair.primaryLoop, pair.secondaryLoop)
        #expect(await pair.run(secondaryLoop) { secondaryLoop.isCurrent })
        #expect(
            await pair.run(secondaryLoop) {
                primaryLoop.isCurrent || primaryLoop.runInline(from: secondaryLoop) { 1 } == nil
            })
        try await pair.awaitSharing()
        await pair.stop()
    }

    @Test func `a secondary loop's work for an idle loop runs on the primary loop's thread and after a separation`()
        async throws
    {
        let pair = try Pair()
        try await pair.awaitSharing()
        let secondaryLoop = pair.secondaryLoop
        for isStalled in [false, true] {
            let gate = Gate()
            if isStalled {
                pair.primaryLoop.execute { gate.block() }
                gate.awaitBlocked()
            }
            await withCheckedContinuation { continuation in
                secondaryLoop.execute {
                    secondaryLoop.executeWhenIdle(orAfter: .seconds(600)) { continuation.resume() }
                }
            }
            if isStalled { gate.open() }
        }
        await pair.stop()
    }

    @Test func `a primary loop that is blocked forever blocks no other loop`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let gate = Gate()
        pair.primaryLoop.execute { gate.block() }
        gate.awaitBlocked()
        let secondaryLoop = pair.secondaryLoop
        #expect(await pair.run(secondaryLoop) { secondaryLoop.isCurrent })
        // It is not attached to a blocked loop again.
        for _ in 0..<100 { #expect(await pair.run(secondaryLoop) { secondaryLoop.isCurrent }) }
        gate.open()
        try await pair.awaitSharing()
        await pair.stop()
    }

    @Test func `a secondary loop that is blocked on the primary loop's thread blocks only the primary loop`()
        async throws
    {
        let primaryLoop = try EpollEventLoop(index: 0, count: 3)
        let secondaryLoops = try (1..<3).map { try EpollEventLoop(index: $0, count: 3, primaryLoop: primaryLoop) }
        let (held, free) = (
            Pair(primaryLoop: primaryLoop, secondaryLoop: secondaryLoops[0]),
            Pair(primaryLoop: primaryLoop, secondaryLoop: secondaryLoops[1])
        )
        try await held.awaitSharing()
        try await free.awaitSharing()
        let gate = Gate()
        held.secondaryLoop.execute { gate.block() }
        gate.awaitBlocked()
        #expect(await free.run(free.secondaryLoop) { free.secondaryLoop.isCurrent })
        gate.open()
        #expect(await held.run(held.secondaryLoop) { held.secondaryLoop.isCurrent })
        await held.stop()
        await withCheckedContinuation { continuation in free.secondaryLoop.stop { continuation.resume() } }
    }

    @Test func `tasks from many threads run once and in order, on whichever thread the loop runs`() async throws {
        let pair = try Pair()
        let counts = Counts()
        let threads = 4
        let each = 20_000
        try await pair.awaitSharing()
        await withTaskGroup { group in
            for thread in 0..<threads {
                group.addTask {
                    for number in 0..<each { pair.secondaryLoop.execute { counts.add(thread, number) } }
                }
            }
            group.addTask {
                for _ in 0..<4 {
                    await pair.stall()
                    _ = await pair.run(pair.secondaryLoop) {}
                }
            }
        }
        #expect(await pair.run(pair.secondaryLoop) { counts.ofThreads } == Array(repeating: each, count: threads))
        #expect(await pair.run(pair.secondaryLoop) { counts.isInOrder })
        await pair.stop()
    }

    @Test func `loops on one thread pass tasks back and forth`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let (primaryLoop, secondaryLoop) = (pair.primaryLoop, pair.secondaryLoop)
        let passes: Int = await withCheckedContinuation { continuation in
            @Sendable func pass(_ number: Int) {
                guard number < 1000 else { return continuation.resume(returning: number) }
                let next = number.isMultiple(of: 2) ? secondaryLoop : primaryLoop
                next.execute { pass(number + 1) }
            }
            primaryLoop.execute { pass(0) }
        }
        #expect(passes == 1000)
        await pair.stop()
    }

    @Test func `a timer of a secondary loop fires`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let secondaryLoop = pair.secondaryLoop
        let wasCurrent: Bool = await withCheckedContinuation { continuation in
            secondaryLoop.execute {
                _ = secondaryLoop.schedule(after: .milliseconds(40)) {
                    continuation.resume(returning: secondaryLoop.isCurrent)
                }
            }
        }
        #expect(wasCurrent)
        await pair.stop()
    }

    @Test(arguments: [false, true])
    func `endless timers on one loop do not delay the other loops on its thread`(isOnSecondaryLoop: Bool) async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let (busy, other) =
            isOnSecondaryLoop ? (pair.secondaryLoop, pair.primaryLoop) : (pair.primaryLoop, pair.secondaryLoop)
        let circle = EndlessTimer(loop: busy)
        busy.execute { circle.run() }
        #expect(await eventually { await pair.run(busy) { circle.turns } > 100 })
        let before = await pair.run(busy) { circle.turns }
        for _ in 0..<10 {
            #expect(await pair.run(other) { other.isCurrent })
            await withCheckedContinuation { continuation in
                other.execute { _ = other.schedule(after: .milliseconds(1)) { continuation.resume() } }
            }
        }
        #expect(await pair.run(busy) { circle.turns } > before)
        await pair.run(busy) { circle.isOver = true }
        await pair.stop()
    }

    /// A timer without a delay that schedules the next one. Accessed only on its loop.
    private final class EndlessTimer: @unchecked Sendable {
        private let loop: EpollEventLoop
        var turns = 0
        var isOver = false

        init(loop: EpollEventLoop) { self.loop = loop }

        func run() {
            turns += 1
            guard !isOver else { return }
            _ = loop.schedule(after: .zero) { [self] in run() }
        }
    }

    @Test func `inline work sees the time of the calling loop`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let (primaryLoop, secondaryLoop) = (pair.primaryLoop, pair.secondaryLoop)
        try await pair.awaitSharing {
            let isCaughtUp = await pair.run(primaryLoop) {
                secondaryLoop.runInline(from: primaryLoop) {
                    secondaryLoop.isCurrent && secondaryLoop.now >= primaryLoop.now
                }
            }
            #expect(isCaughtUp != false)
            return isCaughtUp == true
        }
        #expect(await pair.run(primaryLoop) { secondaryLoop.isCurrent } == false)
        await pair.stop()
    }

    @Test(arguments: [true, false])
    func `loops stop in either order`(secondaryLoopFirst: Bool) async throws {
        for _ in 0..<20 {
            let pair = try Pair()
            if Bool.random() { try await pair.awaitSharing() }
            await withTaskGroup { group in
                for loop in secondaryLoopFirst
                    ? [pair.secondaryLoop, pair.primaryLoop] : [pair.primaryLoop, pair.secondaryLoop]
                {
                    group.addTask {
                        await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
                    }
                }
            }
        }
    }

    /// Accessed only on the secondary loop.
    private final class Counts: @unchecked Sendable {
        var ofThreads = [0, 0, 0, 0]
        var isInOrder = true

        func add(_ thread: Int, _ number: Int) {
            if ofThreads[thread] != number { isInOrder = false }
            ofThreads[thread] += 1
        }
    }
}
