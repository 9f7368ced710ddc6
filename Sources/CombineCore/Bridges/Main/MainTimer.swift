import Locking

/// A timer on a ``MainSubstitute`` that repeats an action until it is cancelled.
///
/// The times lie on a grid, so that delays do not add up. Times that were missed are skipped. The timer retains itself
/// until it is cancelled, as the timers of queues and run loops do.
package final class MainTimer: Cancellable {
    private enum State {
        case waiting((any Cancellable)?)
        case cancelled
    }

    private let substitute: any MainSubstitute
    private let grid: TimerGrid
    private let action: () -> Void
    private let state = Lock(State.waiting(nil))

    /// Runs `action` after `first`, and then repeatedly at `interval`.
    package static func start(
        on substitute: any MainSubstitute, after first: Duration, every interval: Duration,
        _ action: @escaping () -> Void
    ) -> MainTimer {
        let timer = MainTimer(substitute, TimerGrid(interval: interval), action)
        timer.wait(until: substitute.now + max(first, .zero))
        return timer
    }

    private init(_ substitute: any MainSubstitute, _ grid: TimerGrid, _ action: @escaping () -> Void) {
        self.substitute = substitute
        self.grid = grid
        self.action = action
    }

    private func wait(until due: Duration) {
        // The closure retains the timer. A substitute runs an action at most once, so each shot schedules the next one.
        let token = substitute.schedule(after: max(due - substitute.now, .zero)) { self.fire(due) }
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .waiting(token)
            return false
        }
        if isCancelled { token.cancel() }
    }

    private func fire(_ due: Duration) {
        guard !isCancelled else { return }
        // Schedule the next shot before running the action, so that the action can cancel it.
        wait(until: grid.moment(after: due, now: substitute.now))
        action()
    }

    private var isCancelled: Bool {
        state.withLock { if case .cancelled = $0 { true } else { false } }
    }

    /// Stops the repetition. May be called from any thread and from inside the action.
    package func cancel() {
        let former = state.withLock { state in
            let former = state
            state = .cancelled
            return former
        }
        if case .waiting(let token?) = former { token.cancel() }
    }
}
