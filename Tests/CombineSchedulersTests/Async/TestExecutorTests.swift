import CombineSchedulers
import Dispatch
import Locking
import Testing

@Suite struct TestExecutorTests {
    private let executor = TestExecutor()
    private let log = Lock<[Int]>([])

    @Test func `it is idle when each task is suspended or has ended`() async {
        await executor.waitUntilIdle(within: .seconds(600))
        let clock = TestClock()
        let tasks = (1...3).map { number in
            Task(executorPreference: executor) { [log] in
                for _ in 0..<number * 100 { await Task.yield() }
                log.withLock { $0.append(number) }
                try? await clock.sleep(for: .seconds(1))
                for _ in 0..<100 { await Task.yield() }
                log.withLock { $0.append(-number) }
            }
        }
        await executor.waitUntilIdle(within: .seconds(600))
        #expect(log.withLock { $0 } == [1, 2, 3])
        // The clock knows the executor now.
        await clock.advance(by: .seconds(1))
        #expect(log.withLock { $0 } == [1, 2, 3, -1, -2, -3])
        for task in tasks { await task.value }
    }

    // Not `wait()` in the task, which the compiler does not permit there.
    private func block(on semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test func `a task that blocks its thread does not keep the test waiting forever`() async {
        let semaphore = DispatchSemaphore(value: 0)
        let task = Task(executorPreference: executor) { [log] in
            block(on: semaphore)
            log.withLock { $0.append(1) }
        }
        await executor.waitUntilIdle(within: .milliseconds(1))
        #expect(log.withLock { $0 } == [])
        semaphore.signal()
        await task.value
        await executor.waitUntilIdle(within: .seconds(600))
        #expect(log.withLock { $0 } == [1])
    }
}
