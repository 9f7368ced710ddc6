import Foundation
public import Testing

/// Runs each test on a thread with a small stack, which needs fewer steps to overflow than one of the shared threads.
public struct SmallStack: SuiteTrait, TestTrait, TestScoping {
    /// The number of bytes of the stack.
    let bytes: Int

    /// Every test of a suite has a stack of its own.
    public var isRecursive: Bool { true }

    /// Runs a test on threads with a small stack.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(SmallStackExecutor(bytes: bytes)) { try await function() }
    }
}

extension Trait where Self == SmallStack {
    /// Runs each test on a thread with a stack of 512 KiB: 5,000 steps overflow it if each leaves 105 bytes, which every call of a
    /// few functions does.
    public static var smallStack: Self { SmallStack(bytes: 512 << 10) }

    /// Runs each test on a thread with a stack of a size in bytes.
    public static func smallStack(bytes: Int) -> Self { SmallStack(bytes: bytes) }
}

/// Runs each job on its own thread with a small stack.
private final class SmallStackExecutor: TaskExecutor {
    private let bytes: Int

    init(bytes: Int) { self.bytes = bytes }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        thread.stackSize = bytes
        thread.start()
    }
}
