import Glibc
import IssueReporting
import Locking

/// Calls `operation` while the tasks of this process run on the main queue, one after the other, so that a test of code that starts tasks
/// is deterministic.
///
/// Only in a process that runs tests; elsewhere, an issue is reported and the tasks run as usual. Meanwhile the tasks of all other tests
/// run there too, except those with an executor of their own, such as the tasks of hosted sessions. So a task must not block its thread
/// to wait for another task.
@MainActor
public func withMainSerialExecutor(
    @_implicitSelfCapture operation: @MainActor @Sendable () async throws -> Void
) async rethrows {
    MainSerialExecution.begin()
    defer { MainSerialExecution.end() }
    try await operation()
}

/// Calls `operation` while the tasks of this process run on the main queue, one after the other, as for tests of XCTest that
/// `invokeTest()` runs.
///
/// Only in a process that runs tests; elsewhere, an issue is reported and the tasks run as usual.
public func withMainSerialExecutor(@_implicitSelfCapture operation: () throws -> Void) rethrows {
    MainSerialExecution.begin()
    defer { MainSerialExecution.end() }
    try operation()
}

/// Whether the tasks of this process run on the main queue, one after the other. Has an effect only in a process that runs tests.
///
/// Prefer `withMainSerialExecutor(operation:)`, which sets it for an operation.
public var uncheckedUseMainSerialExecutor: Bool {
    get { MainSerialExecution.isOn }
    set { MainSerialExecution.isChosen = newValue }
}

/// The redirection of tasks to the main queue.
private enum MainSerialExecution {
    private struct State {
        var isChosen = false
        /// The number of operations for which tasks are redirected.
        var operations = 0

        var isOn: Bool { isChosen || operations > 0 }
    }

    private static let state = Lock(State())
    /// The address of the variable of the runtime with the function that enqueues a task for the thread pool; 0 for the usual one.
    private static let hook = UInt(bitPattern: dlsym(nil, "swift_task_enqueueGlobal_hook"))
    /// The address of the function of the runtime that enqueues a task for the main queue.
    // The runtime calls the hook with the task and the usual function. This one takes the task, and ignores the second argument.
    private static let enqueue = UInt(bitPattern: dlsym(nil, "swift_task_enqueueMainExecutor"))

    static var isOn: Bool { state.withLock { $0.isOn } }

    static var isChosen: Bool {
        get { state.withLock { $0.isChosen } }
        set { change { $0.isChosen = newValue } }
    }

    static func begin() {
        change { $0.operations += 1 }
    }

    static func end() {
        change { $0.operations -= 1 }
    }

    private static func change(_ update: (inout State) -> Void) {
        guard isTesting, enqueue != 0, let hook = UnsafeMutablePointer<UInt>(bitPattern: hook) else {
            return Issues.report("tasks can run on the main queue only in tests", severity: .warning)
        }
        state.withLock { state in
            update(&state)
            // Other threads read the variable without a lock. They see the former value or the new one.
            hook.pointee = state.isOn ? enqueue : 0
        }
    }
}
