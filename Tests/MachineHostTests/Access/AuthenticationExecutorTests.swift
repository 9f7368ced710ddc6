import Dispatch
import Testing

@testable import MachineHost

/// The executor of the programs' own authentication.
struct AuthenticationExecutorTests {
    @Test func `code that blocks more threads than there are processors does not keep others waiting`() async {
        let gate = DispatchSemaphore(value: 0)
        let started = DispatchGroup()
        let count = 12
        for _ in 0..<count {
            started.enter()
            Task(executorPreference: AuthenticationExecutor.shared) {
                started.leave()
                Self.wait(for: gate)
            }
        }
        // Resumes only when all of them block at the same time.
        await withCheckedContinuation { all in
            started.notify(queue: DispatchQueue(label: "all have started")) { all.resume() }
        }
        let answer = Task(executorPreference: AuthenticationExecutor.shared) { 42 }
        #expect(await answer.value == 42)
        for _ in 0..<count { gate.signal() }
    }

    /// Blocks the thread. A function, because an asynchronous one may not wait for a semaphore.
    private static func wait(for gate: DispatchSemaphore) { gate.wait() }
}
