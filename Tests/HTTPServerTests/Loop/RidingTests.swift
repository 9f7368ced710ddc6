import CLinux
import HTTPModel
import Synchronization
import Testing

@testable import HTTPServer

/// Loops on one thread. How a loop comes to ride is up to the time that passes, so the tests wait for it; what they show
/// holds whenever it does.
@Suite struct RidingTests {
    /// A loop and one that may ride along with it.
    ///
    /// Sendable: the loops are, and everything else is touched on them.
    private struct Pair: Sendable {
        let carrier: EpollEventLoop
        let rider: EpollEventLoop

        init() throws {
            carrier = try EpollEventLoop(index: 0, count: 2)
            rider = try EpollEventLoop(index: 1, count: 2, carrier: carrier)
        }

        /// Has the loop look round now and then until it rides: one that sleeps stays where it is.
        func awaitRiding() async throws {
            try await eventually {
                await run(rider) {}
                return await rides
            }
        }

        var rides: Bool {
            get async { await run(carrier) { [rider] in rider.isRiding } }
        }

        func run<Value: Sendable>(
            _ loop: EpollEventLoop, _ work: @escaping @Sendable () -> Value
        ) async -> Value {
            await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: work()) } }
        }

        func stop() async {
            for loop in [rider, carrier] {
                await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
            }
        }

        /// Keeps the carrier from everything for a while, as a long turn does.
        func stall() async {
            await run(carrier) {
                let end = granary_monotonic_nanoseconds() + ThreadLoad.longestRound + 5_000_000
                while granary_monotonic_nanoseconds() < end {}
            }
        }
    }

    @Test func `an idle loop rides, and its work runs where it is current and its carrier is as well`() async throws {
        let pair = try Pair()
        try await pair.awaitRiding()
        let (carrier, rider) = (pair.carrier, pair.rider)
        #expect(
            await pair.run(rider) { [rider.isCurrent, carrier.isCurrent, rider.sharesThread(with: carrier)] }
                == [true, true, true])
        #expect(
            await pair.run(carrier) { [rider.isCurrent, carrier.isCurrent, carrier.sharesThread(with: rider)] }
                == [false, true, true])
        #expect(!rider.isCurrent && !carrier.isCurrent && !rider.sharesThread(with: carrier))
        await pair.stop()
    }

    @Test func `a carrier that keeps others waiting sets them down, and later takes them on again`() async throws {
        let pair = try Pair()
        try await pair.awaitRiding()
        await pair.stall()
        try await eventually { await !pair.rides }
        let rider = pair.rider
        #expect(await pair.run(rider) { rider.isCurrent })
        #expect(await pair.run(rider) { rider.sharesThread(with: pair.carrier) } == false)
        try await pair.awaitRiding()
        await pair.stop()
    }

    @Test func `work from many threads runs once and in order, whoever's thread the loop is on`() async throws {
        let pair = try Pair()
        let counts = Counts()
        let threads = 4
        let each = 20_000
        try await pair.awaitRiding()
        await withTaskGroup { group in
            for thread in 0..<threads {
                group.addTask {
                    for number in 0..<each { pair.rider.execute { counts.add(thread, number) } }
                }
            }
            group.addTask {
                for _ in 0..<4 {
                    await pair.stall()
                    _ = await pair.run(pair.rider) {}
                }
            }
        }
        #expect(await pair.run(pair.rider) { counts.ofThreads } == Array(repeating: each, count: threads))
        #expect(await pair.run(pair.rider) { counts.isInOrder })
        await pair.stop()
    }

    @Test func `loops on one thread hand each other work to and fro`() async throws {
        let pair = try Pair()
        try await pair.awaitRiding()
        let (carrier, rider) = (pair.carrier, pair.rider)
        let passes: Int = await withCheckedContinuation { continuation in
            @Sendable func pass(_ number: Int) {
                guard number < 1000 else { return continuation.resume(returning: number) }
                let next = number.isMultiple(of: 2) ? rider : carrier
                next.execute { pass(number + 1) }
            }
            carrier.execute { pass(0) }
        }
        #expect(passes == 1000)
        await pair.stop()
    }

    @Test func `a timer of a loop that rides fires`() async throws {
        let pair = try Pair()
        try await pair.awaitRiding()
        let rider = pair.rider
        let wasCurrent: Bool = await withCheckedContinuation { continuation in
            rider.execute {
                _ = rider.schedule(after: .milliseconds(40)) { continuation.resume(returning: rider.isCurrent) }
            }
        }
        #expect(wasCurrent)
        await pair.stop()
    }

    @Test func `what is lent shows the time of the lender`() async throws {
        let pair = try Pair()
        try await pair.awaitRiding()
        let (carrier, rider) = (pair.carrier, pair.rider)
        let isCaughtUp = await pair.run(carrier) {
            rider.sharesThread(with: carrier) && rider.lend(to: carrier) { rider.isCurrent && rider.now >= carrier.now }
        }
        #expect(isCaughtUp)
        #expect(await pair.run(carrier) { rider.isCurrent } == false)
        await pair.stop()
    }

    @Test(arguments: [true, false])
    func `loops end whichever of them is stopped first`(riderFirst: Bool) async throws {
        for _ in 0..<20 {
            let pair = try Pair()
            if Bool.random() { try await pair.awaitRiding() }
            await withTaskGroup { group in
                for loop in riderFirst ? [pair.rider, pair.carrier] : [pair.carrier, pair.rider] {
                    group.addTask {
                        await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
                    }
                }
            }
        }
    }

    /// Touched on the rider only.
    private final class Counts: @unchecked Sendable {
        var ofThreads = [0, 0, 0, 0]
        var isInOrder = true

        func add(_ thread: Int, _ number: Int) {
            if ofThreads[thread] != number { isInOrder = false }
            ofThreads[thread] += 1
        }
    }
}
