import CombineCore
import Locking

/// The state of a task that sleeps on a scheduler. It is resumed once, by the scheduler or by its cancellation.
final class Sleep: Sendable {
    private typealias Sleeper = CheckedContinuation<Void, any Error>

    private enum State {
        /// The task has not suspended yet.
        case awake
        case asleep(CheckedContinuation<Void, any Error>, (any Cancellable)?)
        case over
    }

    private let state = Lock(State.awake)

    /// Stores the continuation of the task. If the task has already been cancelled, resumes it immediately and returns
    /// false.
    func begin(_ sleeper: CheckedContinuation<Void, any Error>) -> Bool {
        let isAsleep = state.withLock { state in
            guard case .awake = state else { return false }
            state = .asleep(sleeper, nil)
            return true
        }
        if !isAsleep { sleeper.resume(throwing: CancellationError()) }
        return isAsleep
    }

    /// Stores the token of the timer, or cancels it if the task has already been resumed.
    func keep(_ token: any Cancellable) {
        let isWanted = state.withLock { state in
            guard case .asleep(let sleeper, _) = state else { return false }
            state = .asleep(sleeper, token)
            return true
        }
        if !isWanted { token.cancel() }
    }

    /// Resumes the task because its wake-up time has been reached.
    func wake() {
        end { $0.resume() }
    }

    /// Resumes the task with an error, or prevents it from suspending, because it was cancelled.
    func cancel() {
        end { $0.resume(throwing: CancellationError()) }
    }

    private func end(_ resume: (Sleeper) -> Void) {
        let former = state.withLock { state in
            let former = state
            state = .over
            return former
        }
        guard case .asleep(let sleeper, let token) = former else { return }
        token?.cancel()
        resume(sleeper)
    }
}
