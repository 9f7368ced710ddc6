import CombineSchedulers
import Locking

/// The actions that tasks sent to a store under test, until the test processes them.
///
/// They run only where the test is confined: in its steps, and while it waits for a clock or scheduler.
final class TestActionQueue: TaskHost {
    private struct State {
        var actions: [UnsafeTransfer<() -> Void>] = []
        var waiting: CheckedContinuation<Void, Never>?
        /// Whether the test was to be resumed while it did not wait.
        var isWoken = false
        /// The number of calls that run arriving actions.
        var attendances = 0
        /// The actor to which the test is confined; nil if it is only confined to its task.
        var actor: (any Actor)?
        /// The hash value of the task of the test.
        var task: Int?
    }

    /// Runs the tasks of effects.
    let executor = TestExecutor()

    private let state = Lock(State())

    init() {
        executor.setHost(self)
    }

    /// Enqueues `action` and resumes the test if it is waiting.
    func enqueue(_ action: @escaping () -> Void) {
        wake { $0.actions.append(UnsafeTransfer(action)) }
    }

    /// Enqueues `action`, resumes the test if it is waiting, and returns when the action has run. While the test does something else than
    /// a step or waiting for a clock or scheduler, it returns immediately, unless too many actions wait.
    func perform(_ action: @escaping () -> Void) async {
        await withCheckedContinuation { continuation in
            let completion = OneTimeResume(continuation)
            let isAttended = wake { state in
                state.actions.append(
                    UnsafeTransfer {
                        action()
                        completion.resume()
                    })
                return state.attendances > 0 || state.actions.count > 100
            }
            if !isAttended { completion.resume() }
        }
    }

    /// Resumes the test if it is waiting.
    func wake() {
        wake { _ in }
    }

    private func wake<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, waiting) = state.withLock { state in
            let result = UnsafeTransfer(change(&state))
            state.isWoken = state.waiting == nil
            defer { state.waiting = nil }
            return (result, state.waiting)
        }
        waiting?.resume()
        return result.value
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

    /// Begins a step of the test: actions that arrive from now on run before it ends.
    ///
    /// - Parameter actor: The actor to which the test is confined.
    func beginStep(on actor: (any Actor)?) {
        let task = Self.currentTask
        state.withLock { state in
            state.attendances += 1
            state.actor = actor
            state.task = task
        }
    }

    func endStep() {
        attend(-1)
        // Their tasks wait.
        runAll()
    }

    private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    private func attend(_ change: Int) {
        state.withLock { $0.attendances += change }
    }

    /// Begins to run arriving actions while the test waits for a clock or scheduler: on its actor or in its task, which waits.
    func beginHandling() -> Bool {
        let task = Self.currentTask
        return state.withLock { state in
            // Another task could run beside that of the test.
            guard state.actor != nil || (task != nil && task == state.task) else { return false }
            state.attendances += 1
            return true
        }
    }

    nonisolated(nonsending) func handle() async -> Bool {
        await runAll(on: state.withLock { $0.actor })
    }

    nonisolated(nonsending) func endHandling() async {
        attend(-1)
        _ = await handle()
    }

    private func runAll(on actor: isolated (any Actor)?) async -> Bool {
        runAll()
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
        defer { endStep() }
        // Bounded, because an effect may send actions without end.
        for _ in 0..<100 {
            await executor.waitUntilIdle(within: timeout)
            guard runAll() else { return }
        }
    }

    /// Runs arriving actions until `isDone` returns true, but no longer than `timeout`, unless tasks are still ready to run then.
    nonisolated(nonsending) func run(until isDone: () -> Bool, timeout: Duration) async {
        attend(1)
        defer { endStep() }
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
        await ReadyTasks.run(afterTurn: { runAll() })
    }
}
