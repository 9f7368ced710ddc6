import CombineCore
import Locking

/// The way in which the elements of a task reach an observer: as turns of the session whose machine has subscribed, or directly,
/// outside of sessions.
struct TaskDelivery: Sendable {
    private let substitute: (any MainSubstitute)?

    /// Creates the delivery for a subscription that is being made on the calling thread.
    init() {
        substitute = MainContext.current
    }

    /// Starts the task, with the session's executor unless it is detached.
    func makeTask(
        detached: Bool, priority: TaskPriority?, work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        detached
            ? Task.detached(priority: priority, operation: work)
            : Task(executorPreference: substitute?.taskExecutor, priority: priority, operation: work)
    }

    /// Runs an action where the machine is confined.
    func deliver(_ action: @escaping () -> Void) {
        guard let substitute else { return action() }
        substitute.schedule(action)
    }

    /// Runs an action where the machine is confined. Returns when it has run, or when it can no longer run because the session has
    /// ended. So a sequence that never waits is not read faster than its elements are used.
    func deliverAndWait(_ action: @escaping () -> Void) async {
        guard substitute != nil else { return action() }
        await withCheckedContinuation { continuation in
            let completion = OneTimeResume(continuation)
            deliver {
                action()
                completion.resume()
            }
        }
    }
}
