import CombineSchedulers
import Locking

/// The actions that tasks sent to a store under test, until the test processes them.
final class TestActionQueue: Sendable {
    private struct State {
        var actions: [UnsafeTransfer<() -> Void>] = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

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

    /// Returns when the queue holds an action, or when ``wake()`` is called.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.actions.isEmpty {
                    state.waiting = continuation
                    return false
                }
                return true
            }
            if isThere { continuation.resume() }
        }
    }

    /// Runs arriving actions until `isDone` returns true, but no longer than `timeout`, unless tasks are still ready to run then.
    nonisolated(nonsending) func run(until isDone: () -> Bool, timeout: Duration) async {
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
        await ReadyTasks.run { runAll() }
    }
}
