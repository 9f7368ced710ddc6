import Dispatch
import Locking

/// Runs tasks of a test one after the other, in the order in which they become ready, and knows when none of them is: when each is
/// suspended or has ended. So what a test sees does not depend on what else the machine does.
package final class TestExecutor: TaskExecutor {
    private struct State {
        /// The number of jobs that are queued or running. A task that is suspended has none.
        var jobs = 0
        var waiting: [OneTimeResume] = []
    }

    // Set on the executor's thread while a job runs. The job's caller retains the executor.
    private static let slot = ThreadLocal<TestExecutor>()
    /// The executor that runs the calling task; nil for another one.
    static var current: TestExecutor? { slot.value }

    private let state = Lock(State())
    private let queue = DispatchQueue(label: "granary.test-tasks")

    /// Creates an executor without tasks.
    package init() {}

    /// Enqueues a job of a task. Called by the runtime.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs += 1 }
        queue.async { [self] in
            TestExecutor.slot.value = self
            job.runSynchronously(on: asUnownedTaskExecutor())
            TestExecutor.slot.value = nil
            endJob()
        }
    }

    /// Runs work while no task begins to run.
    package func pausing<Value>(_ work: () -> Value) -> Value {
        queue.suspend()
        defer { queue.resume() }
        return work()
    }

    private func endJob() {
        let waiting = state.withLock { state in
            state.jobs -= 1
            guard state.jobs == 0 else { return [OneTimeResume]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for each in waiting { each.resume() }
    }

    /// Waits until no task is ready to run, but no longer than a limit, since a task may block its thread. Not for its own tasks.
    package nonisolated(nonsending) func waitUntilIdle(within limit: Duration = .seconds(10)) async {
        await withCheckedContinuation { continuation in
            let resume = OneTimeResume(continuation)
            let isIdle = state.withLock { state in
                if state.jobs > 0 { state.waiting.append(resume) }
                return state.jobs == 0
            }
            guard !isIdle else { return resume.resume() }
            let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) * 1e-18
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak resume] in resume?.resume() }
        }
    }
}

/// The executors of the tasks that have waited for a clock.
struct TestExecutors: Sendable {
    private(set) var all: [TestExecutor] = []

    /// Notes the executor of the calling task.
    mutating func noteCurrent() {
        guard let executor = TestExecutor.current, !all.contains(where: { $0 === executor }) else { return }
        all.append(executor)
    }
}
