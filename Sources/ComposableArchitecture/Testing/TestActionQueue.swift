import CombineSchedulers
import Locking

/// The actions that tasks sent to a store under test, until the test processes them.
final class TestActionQueue: Sendable {
    private struct State {
        var actions: [UnsafeTransfer<() -> Void>] = []
        var waiting: CheckedContinuation<Void, Never>?
        /// Whether the test was to be resumed while it did not wait.
        var isWoken = false
        /// The number of calls that run arriving actions.
        var attendances = 0
    }

    /// Runs the tasks of effects.
    let executor = TestExecutor()

    private let state = Lock(State())

    /// Whether an action that is enqueued now runs soon, or has to wait because too many others do.
    var isAttended: Bool { state.withLock { $0.attendances > 0 || $0.actions.count >= 100 } }

    /// Enqueues `action` and resumes the test if it is waiting.
    func enqueue(_ action: @escaping () -> Void) {
        wake { $0.actions.append(UnsafeTransfer(action)) }
    }

    /// Resumes the test if it is waiting.
    func wake() {
        wake { _ in }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            state.isWoken = state.waiting == nil
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Runs all actions in the queue, including those that are added meanwhile.
    ///
    /// - Returns: Whether the queue held any action.
    @discardableResult
    func runAll() -> Bool {
        var hasRun = false
        while let next = state.withLock({ $0.actions.isEmpty ? nil : $0.actions.removeFirst() }) {
            hasRun = true
            next.value()
        }
        return hasRun
    }

    private func attend(_ change: Int) {
        state.withLock { $0.attendances += change }
    }

    /// Returns when the queue holds an action, or when ``wake()`` is or was called.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.actions.isEmpty, !state.isWoken else {
                    state.isWoken = false
                    return true
                }
                state.waiting = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Runs arriving actions until the tasks of all effects are suspended or have ended. Waits at most for `timeout` for a task that
    /// blocks its thread.
    nonisolated(nonsending) func settle(within timeout: Duration) async {
        attend(1)
        defer { attend(-1) }
        // Bounded, because an effect may send actions without end.
        for _ in 0..<100 {
            await executor.waitUntilIdle(within: timeout)
            guard runAll() else { return }
        }
    }

    /// Runs arriving actions until `isDone` returns true, but no longer than `timeout`, unless tasks are still ready to run then.
    nonisolated(nonsending) func run(until isDone: () -> Bool, timeout: Duration) async {
        attend(1)
        defer { attend(-1) }
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: timeout)
        let alarm = Task {
            try await Task.sleep(until: deadline, clock: clock)
            wake()
        }
        defer { alarm.cancel() }
        runAll()
        while !isDone(), clock.now < deadline {
            await wait()
            runAll()
        }
        guard !isDone() else { return }
        // On a busy machine, the timeout may pass while tasks wait for a thread.
        await settle(within: .seconds(10))
        await ReadyTasks.run { runAll() }
    }
}
