import CombineCore
import CombineSchedulers
import Dispatch
import Foundation
import Locking
import Testing

@Suite struct SchedulerAsyncTests {
    private let scheduler = DispatchQueue.test
    private let log = Lock<[String]>([])
    private let executor = TestExecutor()

    private func note(_ text: String) {
        log.withLock { $0.append(text) }
    }

    @Test func `a task sleeps until the clock has advanced far enough`() async throws {
        let task = Task(executorPreference: executor) { [scheduler] in
            try await scheduler.sleep(for: .seconds(2))
            note("first")
            try await scheduler.sleep(until: scheduler.now.advanced(by: .seconds(3)))
            note("second")
        }
        await executor.waitUntilIdle()
        await scheduler.advance(by: .seconds(1))
        #expect(log.withLock { $0 } == [])
        await scheduler.advance(by: .seconds(1))
        #expect(log.withLock { $0 } == ["first"])
        await scheduler.advance(by: .seconds(3))
        try await task.value
        #expect(log.withLock { $0 } == ["first", "second"])
    }

    @Test func `sleeps that a task starts while the clock advances end in the same call`() async throws {
        let task = Task(executorPreference: executor) { [scheduler] in
            for number in 1...5 {
                try await scheduler.sleep(for: .seconds(1))
                note("\(number)")
            }
        }
        await executor.waitUntilIdle()
        await scheduler.advance(by: .seconds(5))
        try await task.value
        #expect(log.withLock { $0 } == ["1", "2", "3", "4", "5"])
    }

    @Test func `run returns when no task is sleeping`() async throws {
        let start = scheduler.now
        let task = Task(executorPreference: executor) { [scheduler] in
            try await scheduler.sleep(for: .seconds(60))
            try await scheduler.sleep(for: .seconds(3_600))
        }
        await executor.waitUntilIdle()
        await scheduler.run()
        try await task.value
        #expect(start.distance(to: scheduler.now) == .seconds(3_660))
    }

    @Test func `a cancelled task resumes immediately and leaves nothing on the scheduler`() async {
        let start = scheduler.now
        let task = Task(executorPreference: executor) { [scheduler] in
            try await scheduler.sleep(for: .seconds(60))
        }
        await executor.waitUntilIdle()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await scheduler.run()
        #expect(scheduler.now == start)
    }

    @Test func `a task that is already cancelled does not sleep`() async {
        let task = Task(executorPreference: executor) { [scheduler] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await scheduler.sleep(for: .seconds(60))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `sleeping on an immediate scheduler returns immediately`() async throws {
        try await DispatchQueue.immediate.sleep(for: .seconds(3_600))
        try await RunLoop.immediate.sleep(for: 3_600)
    }

    @Test func `sleeping on a queue takes the specified time`() async throws {
        let queue = DispatchQueue(label: "sleep")
        let start = queue.now
        try await queue.sleep(for: .milliseconds(20))
        #expect(start.distance(to: queue.now) >= .milliseconds(20))
    }

    @Test func `a timer buffers the times of the clock until they are read`() async {
        let start = scheduler.now
        let ticks = scheduler.timer(interval: .seconds(1))
        await scheduler.advance(by: .milliseconds(3_500))
        var moments: [Int] = []
        for await moment in ticks.prefix(3) {
            moments.append(start.distance(to: moment).magnitude / 1_000_000_000)
        }
        #expect(moments == [1, 2, 3])
    }

    @Test func `a timer ends with the task that reads it`() async {
        let start = scheduler.now
        let task = Task(executorPreference: executor) { [scheduler] in
            for await _ in scheduler.timer(interval: .seconds(1)) { note("tick") }
        }
        await executor.waitUntilIdle()
        await scheduler.advance(by: .seconds(2))
        task.cancel()
        await task.value
        await scheduler.run()
        #expect(log.withLock { $0 } == ["tick", "tick"])
        #expect(start.distance(to: scheduler.now) == .seconds(2))
    }
}
