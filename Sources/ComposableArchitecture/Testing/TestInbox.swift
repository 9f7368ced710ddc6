import Locking

/// What tasks have sent to a store that is being tested, until the test takes it.
final class TestInbox: Sendable {
    private struct State {
        var actions: [UnsafeTransfer<() -> Void>] = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

    /// Keeps `action`, and wakes the test if it waits.
    func put(_ action: @escaping () -> Void) {
        wake { $0.actions.append(UnsafeTransfer(action)) }
    }

    /// Wakes the test if it waits.
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

    /// Runs everything that has been kept, and what that leads to.
    ///
    /// - Returns: Whether there was anything.
    @discardableResult
    func runAll() -> Bool {
        var hasRun = false
        while let next = state.withLock({ $0.actions.isEmpty ? nil : $0.actions.removeFirst() }) {
            hasRun = true
            next.value()
        }
        return hasRun
    }

    /// Returns when something is kept, or somebody wakes the test.
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

    /// Runs what arrives until `isDone`, for at most that long.
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
    }
}
