import Locking

/// At most one running timer, and any number of tokens for it.
package final class TimerConnection: Sendable {
    private struct State {
        /// The number of the latest timer.
        var number = 0
        var isRunning = false
        /// Missing while the timer is being started.
        var timer: (any Cancellable)?
    }

    private let state = Lock(State())

    /// Makes a connection without a timer.
    package init() {}

    /// Has `start` start a timer unless there is one; cancelling the token stops the timer that was running when the
    /// token was made, and no later one.
    package func connect(_ start: () -> any Cancellable) -> any Cancellable {
        let (number, isNew) = state.withLock { state in
            if state.isRunning { return (state.number, false) }
            state.number += 1
            state.isRunning = true
            return (state.number, true)
        }
        if isNew { store(start(), number) }
        return TimerToken(connection: self, number: number)
    }

    private func store(_ timer: any Cancellable, _ number: Int) {
        let isWanted = state.withLock { state in
            guard state.isRunning, state.number == number else { return false }
            state.timer = timer
            return true
        }
        if !isWanted { timer.cancel() }
    }

    fileprivate func stop(_ number: Int) {
        let former = state.withLock { state -> (any Cancellable)? in
            guard state.isRunning, state.number == number else { return nil }
            state.isRunning = false
            let taken = state.timer
            state.timer = nil
            return taken
        }
        former?.cancel()
    }
}

/// Stops a timer when it is cancelled; going away does not.
private struct TimerToken: Cancellable {
    let connection: TimerConnection
    let number: Int

    func cancel() {
        connection.stop(number)
    }
}
