import Dispatch
import Locking

/// A test that handles what its tasks hand over to it, such as the actions of effects.
package protocol TaskHost: AnyObject, Sendable {
    /// Begins to handle what tasks hand over, while the test waits for a clock or scheduler. Returns false if the calling task must not.
    func beginHandling() -> Bool

    /// Handles what tasks have handed over. Returns whether there was anything.
    nonisolated(nonsending) func handle() async -> Bool

    /// Ends what ``beginHandling()`` began.
    nonisolated(nonsending) func endHandling() async
}

/// Runs tasks of a test one after the other, in the order in which they become ready, and knows when none of them is: when each is
/// suspended or has ended. So what a test sees does not depend on what else the machine does.
package final class TestExecutor: TaskExecutor {
    private struct State {
        /// The number of jobs that are queued or running. A task that is suspended has none.
        var jobs = 0
        var waiting: [OneTimeResume] = []
        weak var host: (any TaskHost)?
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

    /// Sets what handles what the tasks hand over. It is not retained.
    package func setHost(_ host: any TaskHost) {
        state.withLock { $0.host = host }
    }

    /// Begins to handle what the tasks hand over. Returns what does so; nil if nothing does.
    func beginHandling() -> (any TaskHost)? {
        guard let host = state.withLock({ $0.host }), host.beginHandling() else { return nil }
        return host
    }

    /// Waits until no task is ready to run and the host has handled what they handed over. Not for its own tasks.
    nonisolated(nonsending) func settle(with host: (any TaskHost)?) async {
        // Bounded, because a task may hand something over without end.
        for _ in 0..<100 {
            await waitUntilIdle()
            guard let host, await host.handle() else { return }
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
