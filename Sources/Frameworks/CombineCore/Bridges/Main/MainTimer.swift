import Locking
package import StateCapture

/// A timer on a ``MainSubstitute`` that repeats an action until it is cancelled.
///
/// The times lie on a grid, so that delays do not add up. Times that were missed are skipped. The timer retains itself
/// until it is cancelled, as the timers of queues and run loops do.
package final class MainTimer: Cancellable {
    private enum State {
        case waiting((any Cancellable)?, due: Duration)
        case cancelled
    }

    private let substitute: any MainSubstitute
    private let grid: TimerGrid
    private let isCaptured: Bool
    private let action: () -> Void
    private let state = Lock(State.waiting(nil, due: .zero))

    /// Runs `action` after `first`, and then repeatedly at `interval`.
    ///
    /// - Parameter isCaptured: Whether the timer is part of something that is captured.
    package static func start(
        on substitute: any MainSubstitute, after first: Duration, every interval: Duration, isCaptured: Bool = false,
        _ action: @escaping () -> Void
    ) -> MainTimer {
        let timer = MainTimer(substitute, TimerGrid(interval: interval), isCaptured, action)
        timer.wait(until: substitute.now + max(first, .zero))
        return timer
    }

    /// Runs `action` repeatedly at `interval`, for a source that is connected. If the machine that is being wired is
    /// restored, the timer continues on its former grid.
    package static func startCaptured(
        on substitute: any MainSubstitute, every interval: Duration, _ action: @escaping () -> Void
    ) -> MainTimer {
        guard let registry = StateRegistry.current else {
            return start(on: substitute, after: interval, every: interval, action)
        }
        let timer = MainTimer(substitute, TimerGrid(interval: interval), true, action)
        let due = substitute.now + interval
        timer.state.withLock { $0 = .waiting(nil, due: due) }
        registry.register(timer)
        if !registry.isRestoring { timer.wait(until: due) }
        return timer
    }

    /// The time at which the timer fires next; nil if it was cancelled.
    package var due: Duration? {
        state.withLock { if case .waiting(_, let due) = $0 { due } else { nil } }
    }

    private init(
        _ substitute: any MainSubstitute, _ grid: TimerGrid, _ isCaptured: Bool, _ action: @escaping () -> Void
    ) {
        self.substitute = substitute
        self.grid = grid
        self.isCaptured = isCaptured
        self.action = action
    }

    private func wait(until due: Duration) {
        // The closure retains the timer. A substitute runs an action at most once, so each shot schedules the next one.
        let token = substitute.schedule(after: max(due - substitute.now, .zero), isCaptured: isCaptured) {
            self.fire(due)
        }
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .waiting(token, due: due)
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
        if case .waiting(let token?, _) = former { token.cancel() }
    }
}

extension MainTimer: StatefulPart {
    package static var partName: StaticString { "timer" }

    /// The time at which the timer fires next.
    package var partState: StoredTime? { due.map { StoredTime($0) } }

    package func restore(_ state: StoredTime?) {
        self.state.withLock { $0 = state.map { .waiting(nil, due: $0.duration) } ?? .cancelled }
    }

    package func resume() {
        // A timer that became due meanwhile fires once, and then continues on its grid.
        if let due { wait(until: due) }
    }
}

extension StoredTime {
    /// Creates a point in time from the time since the clock's fixed point.
    init(_ duration: Duration) {
        self.init(nanoseconds: duration.inNanoseconds)
    }

    /// The time since the clock's fixed point.
    var duration: Duration { .nanoseconds(nanoseconds) }
}

extension Duration {
    /// The number of whole nanoseconds, clamped to 64 bits (292 years).
    var inNanoseconds: Int64 { Int64(clamping: allNanoseconds) }

    /// The number of whole nanoseconds.
    var allNanoseconds: Int128 {
        Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000)
    }
}
