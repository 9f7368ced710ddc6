import CombineCore
import Locking

/// One task that waits for a scheduler: it is woken once, by the scheduler or by its cancellation.
final class Sleep: Sendable {
    private typealias Sleeper = CheckedContinuation<Void, any Error>

    private enum State {
        /// The task is about to fall asleep.
        case awake
        case asleep(CheckedContinuation<Void, any Error>, (any Cancellable)?)
        case over
    }

    private let state = Lock(State.awake)

    /// Takes over the task, unless it has been cancelled meanwhile: then it is woken at once.
    func begin(_ sleeper: CheckedContinuation<Void, any Error>) -> Bool {
        let isAsleep = state.withLock { state in
            guard case .awake = state else { return false }
            state = .asleep(sleeper, nil)
            return true
        }
        if !isAsleep { sleeper.resume(throwing: CancellationError()) }
        return isAsleep
    }

    /// Keeps the token of what will wake the task, or cancels it if that is not needed any more.
    func keep(_ token: any Cancellable) {
        let isWanted = state.withLock { state in
            guard case .asleep(let sleeper, _) = state else { return false }
            state = .asleep(sleeper, token)
            return true
        }
        if !isWanted { token.cancel() }
    }

    /// Wakes the task because its time has come.
    func wake() {
        end { $0.resume() }
    }

    /// Wakes the task, or keeps it from falling asleep, because it has been cancelled.
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
