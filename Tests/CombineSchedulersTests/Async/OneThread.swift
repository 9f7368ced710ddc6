import Dispatch
import Testing

/// Runs each test on one thread, with the tasks for which it names ``executor``, one after the other in the order in which they become
/// ready. So what runs between two steps of a clock does not depend on what else the machine does.
struct OneThread: SuiteTrait, TestTrait, TestScoping {
    /// The thread.
    static let executor = OneThreadExecutor()

    /// Every test of a suite runs on it.
    var isRecursive: Bool { true }

    /// Runs a test on the thread.
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OneThread.executor) { try await function() }
    }
}

extension Trait where Self == OneThread {
    /// Runs each test on one thread, in the order in which its tasks become ready.
    static var oneThread: Self { OneThread() }
}

/// Runs jobs on one thread at a time, in order.
final class OneThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "granary.tests.one-thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
