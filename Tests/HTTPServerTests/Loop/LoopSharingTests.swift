import CLinux
import HTTPModel
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPServer

/// Loops that share a thread. Timing decides when a loop becomes a guest, so the tests wait for it. Their results
/// do not depend on that moment.
@Suite struct LoopSharingTests {
    /// A host loop and a loop that may become its guest.
    ///
    /// Sendable because the loops are, and all other properties are accessed only on them.
    private struct Pair: Sendable {
        let hostLoop: EpollEventLoop
        let guest: EpollEventLoop

        init(hostLoop: EpollEventLoop, guest: EpollEventLoop) {
            (self.hostLoop, self.guest) = (hostLoop, guest)
        }

        init() throws {
            let hostLoop = try EpollEventLoop(index: 0, count: 2)
            self.init(hostLoop: hostLoop, guest: try EpollEventLoop(index: 1, count: 2, hostLoop: hostLoop))
        }

        /// Waits until the loop is a guest.
        func awaitSharing() async throws { try await awaitSharing { await sharesThread } }

        /// Waits until a condition is met that the loop meets as a guest. Checks only occasionally, because the loop has to be idle
        /// to become one.
        func awaitSharing(until isMet: () async throws -> Bool) async throws {
            let isMet = try await eventually {
                // On a busy machine, the host may stall at least once in each second, after which it takes no guests for a second.
                hostLoop.acceptsGuestsFrom.store(0, ordering: .relaxed)
                try await Task.sleep(for: .milliseconds(15))
                return try await isMet()
            }
            #expect(isMet)
        }

        /// Whether tasks of the guest run on the host loop's thread.
        var sharesThread: Bool {
            get async { await run(guest) { [hostLoop] in hostLoop.isCurrent } }
        }

        func run<Value: Sendable>(
            _ loop: EpollEventLoop, _ work: @escaping @Sendable () -> Value
        ) async -> Value {
            await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: work()) } }
        }

        func stop() async {
            for loop in [guest, hostLoop] {
                await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
            }
        }

        /// Blocks the host loop for a while, as a long turn does.
        func stall() async {
            await run(hostLoop) {
                let end = granary_monotonic_nanoseconds() + ThreadLoad.longestRound + 5_000_000
                while granary_monotonic_nanoseconds() < end {}
            }
        }
    }

    @Test func `an idle loop becomes a guest, and in its tasks both it and its host are current`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let (hostLoop, guest) = (pair.hostLoop, pair.guest)
        // On a slow machine, they may separate in between.
        try await pair.awaitSharing {
            await pair.run(guest) { [guest.isCurrent, hostLoop.isCurrent] } == [true, true]
        }
        #expect(await pair.run(hostLoop) { [guest.isCurrent, hostLoop.isCurrent] } == [false, true])
        #expect(!guest.isCurrent && !hostLoop.isCurrent)
        await pair.stop()
    }

    @Test func `a host loop that stalls detaches its guests and later takes them again`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        // A second later it may be a guest again, and the check may be late.
        let isMet = await eventually {
            await pair.stall()
            return await !pair.sharesThread
        }
        #expect(isMet)
        let (hostLoop, guest) = (pair.hostLoop, pair.guest)
        #expect(await pair.run(guest) { guest.isCurrent })
        #expect(await pair.run(guest) { hostLoop.isCurrent || hostLoop.runInline(from: guest) { 1 } == nil })
        try await pair.awaitSharing()
        await pair.stop()
    }

    @Test func `a guest's work for an idle loop runs on the host's thread and after a separation`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let guest = pair.guest
        for isStalled in [false, true] {
            let gate = Gate()
            if isStalled {
                pair.hostLoop.execute { gate.block() }
                gate.awaitBlocked()
            }
            await withCheckedContinuation { continuation in
                guest.execute { guest.executeWhenIdle(orAfter: .seconds(600)) { continuation.resume() } }
            }
            if isStalled { gate.open() }
        }
        await pair.stop()
    }

    @Test func `a host loop that is blocked forever blocks no other loop`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let gate = Gate()
        pair.hostLoop.execute { gate.block() }
        gate.awaitBlocked()
        let guest = pair.guest
        #expect(await pair.run(guest) { guest.isCurrent })
        // It does not become a guest of a blocked loop again.
        for _ in 0..<100 { #expect(await pair.run(guest) { guest.isCurrent }) }
        gate.open()
        try await pair.awaitSharing()
        await pair.stop()
    }

    @Test func `a guest that is blocked on its host's thread blocks only the host`() async throws {
        let hostLoop = try EpollEventLoop(index: 0, count: 3)
        let guests = try (1..<3).map { try EpollEventLoop(index: $0, count: 3, hostLoop: hostLoop) }
        let (held, free) = (Pair(hostLoop: hostLoop, guest: guests[0]), Pair(hostLoop: hostLoop, guest: guests[1]))
        try await held.awaitSharing()
        try await free.awaitSharing()
        let gate = Gate()
        held.guest.execute { gate.block() }
        gate.awaitBlocked()
        #expect(await free.run(free.guest) { free.guest.isCurrent })
        gate.open()
        #expect(await held.run(held.guest) { held.guest.isCurrent })
        await held.stop()
        await withCheckedContinuation { continuation in free.guest.stop { continuation.resume() } }
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
                    for number in 0..<each { pair.guest.execute { counts.add(thread, number) } }
                }
            }
            group.addTask {
                for _ in 0..<4 {
                    await pair.stall()
                    _ = await pair.run(pair.guest) {}
                }
            }
        }
        #expect(await pair.run(pair.guest) { counts.ofThreads } == Array(repeating: each, count: threads))
        #expect(await pair.run(pair.guest) { counts.isInOrder })
        await pair.stop()
    }

    @Test func `loops on one thread pass tasks back and forth`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let (hostLoop, guest) = (pair.hostLoop, pair.guest)
        let passes: Int = await withCheckedContinuation { continuation in
            @Sendable func pass(_ number: Int) {
                guard number < 1000 else { return continuation.resume(returning: number) }
                let next = number.isMultiple(of: 2) ? guest : hostLoop
                next.execute { pass(number + 1) }
            }
            hostLoop.execute { pass(0) }
        }
        #expect(passes == 1000)
        await pair.stop()
    }

    @Test func `a timer of a guest fires`() async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let guest = pair.guest
        let wasCurrent: Bool = await withCheckedContinuation { continuation in
            guest.execute {
                _ = guest.schedule(after: .milliseconds(40)) { continuation.resume(returning: guest.isCurrent) }
            }
        }
        #expect(wasCurrent)
        await pair.stop()
    }

    @Test(arguments: [false, true])
    func `endless timers on one loop do not delay the other loops on its thread`(isOnGuest: Bool) async throws {
        let pair = try Pair()
        try await pair.awaitSharing()
        let (busy, other) = isOnGuest ? (pair.guest, pair.hostLoop) : (pair.hostLoop, pair.guest)
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
        let (hostLoop, guest) = (pair.hostLoop, pair.guest)
        try await pair.awaitSharing {
            let isCaughtUp = await pair.run(hostLoop) {
                guest.runInline(from: hostLoop) { guest.isCurrent && guest.now >= hostLoop.now }
            }
            #expect(isCaughtUp != false)
            return isCaughtUp == true
        }
        #expect(await pair.run(hostLoop) { guest.isCurrent } == false)
        await pair.stop()
    }

    @Test(arguments: [true, false])
    func `loops stop in either order`(guestFirst: Bool) async throws {
        for _ in 0..<20 {
            let pair = try Pair()
            if Bool.random() { try await pair.awaitSharing() }
            await withTaskGroup { group in
                for loop in guestFirst ? [pair.guest, pair.hostLoop] : [pair.hostLoop, pair.guest] {
                    group.addTask {
                        await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
                    }
                }
            }
        }
    }

    /// Accessed only on the guest.
    private final class Counts: @unchecked Sendable {
        var ofThreads = [0, 0, 0, 0]
        var isInOrder = true

        func add(_ thread: Int, _ number: Int) {
            if ofThreads[thread] != number { isInOrder = false }
            ofThreads[thread] += 1
        }
    }
}
