import HTTPModel
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct EpollEventLoopTests {
    private func stop(_ loop: EpollEventLoop) async {
        await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
    }

    private func run<Value: Sendable>(_ loop: EpollEventLoop, _ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: work()) } }
    }

    @Test func `tasks run on the loop, which is current during them`() async throws {
        let loop = try EpollEventLoop(index: 1, count: 2)
        #expect(loop.index == 1)
        #expect(loop.count == 2)
        #expect(!loop.isCurrent)
        #expect(await run(loop) { loop.isCurrent })
        await stop(loop)
    }

    @Test func `all tasks of several threads run, in order for each thread`() async throws {
        let loop = try EpollEventLoop(index: 0, count: 1)
        let ran = Ran()
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<5000 { loop.execute { ran.add(thread, number) } }
                }
            }
        }
        #expect(await run(loop) { ran.counts } == [5000, 5000, 5000, 5000])
        #expect(await run(loop) { ran.isInOrder })
        await stop(loop)
    }

    @Test func `a task that a task adds runs after the waiting ones`() async throws {
        let loop = try EpollEventLoop(index: 0, count: 1)
        let ran = Ran()
        await run(loop) {
            loop.execute {
                ran.add(0, 0)
                loop.execute { ran.add(0, 2) }
            }
            loop.execute { ran.add(0, 1) }
        }
        #expect(await eventually { await run(loop) { ran.counts[0] } == 3 })
        #expect(await run(loop) { ran.isInOrder })
        await stop(loop)
    }

    @Test func `timers fire in the order of their deadlines and not before them`() async throws {
        let loop = try EpollEventLoop(index: 0, count: 1)
        let order: [Int] = await withCheckedContinuation { continuation in
            loop.execute {
                let start = loop.now
                let fired = Fired()
                for delay in [30, 5, 20, 1, 10] {
                    _ = loop.schedule(after: .milliseconds(delay)) {
                        #expect(loop.isCurrent)
                        #expect(loop.now - start >= .milliseconds(delay))
                        fired.order.append(delay)
                        if delay == 30 { continuation.resume(returning: fired.order) }
                    }
                }
            }
        }
        #expect(order == [1, 5, 10, 20, 30])
        await stop(loop)
    }

    @Test func `a timer wakes a loop that has been idle for long`() async throws {
        let loop = try EpollEventLoop(index: 0, count: 1)
        await withCheckedContinuation { continuation in
            loop.execute { _ = loop.schedule(after: .milliseconds(60)) { continuation.resume() } }
        }
        await stop(loop)
    }

    @Test func `a cancelled timer does not fire, even in the round in which it is due`() async throws {
        let loop = try EpollEventLoop(index: 0, count: 1)
        let fired: [Int] = await withCheckedContinuation { continuation in
            loop.execute {
                let fired = Fired()
                let later = Fired()
                _ = loop.schedule(after: .milliseconds(2)) {
                    fired.order.append(1)
                    later.timer?.cancel()
                }
                later.timer = loop.schedule(after: .milliseconds(2)) { fired.order.append(2) }
                loop.schedule(after: .milliseconds(1)) { fired.order.append(3) }.cancel()
                _ = loop.schedule(after: .milliseconds(8)) { continuation.resume(returning: fired.order) }
            }
        }
        #expect(fired == [1])
        await stop(loop)
    }

    @Test func `the time is constant during a round and advances between rounds`() async throws {
        let loop = try EpollEventLoop(index: 0, count: 1)
        let first = await run(loop) { () -> MonotonicTime in
            let time = loop.now
            for _ in 0..<1000 where loop.now != time { return MonotonicTime(nanoseconds: 0) }
            return time
        }
        #expect(first.nanoseconds > 0)
        #expect(await run(loop) { loop.now } > first)
        await stop(loop)
    }

    /// Accessed only on the loop.
    private final class Ran: @unchecked Sendable {
        var counts = [0, 0, 0, 0]
        var isInOrder = true

        func add(_ thread: Int, _ number: Int) {
            if counts[thread] != number { isInOrder = false }
            counts[thread] += 1
        }
    }

    private final class Fired {
        var order: [Int] = []
        var timer: (any EventLoopTimer)?
    }
}
