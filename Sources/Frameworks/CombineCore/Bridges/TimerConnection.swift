import Locking

/// A connection with at most one running timer and any number of tokens for it.
package final class TimerConnection: Sendable {
    private struct State {
        /// The number of the latest timer.
        var number = 0
        var isRunning = false
        /// The timer; nil while it is being started.
        var timer: (any Cancellable)?
    }

    private let state = Lock(State())

    package init() {}

    /// Starts a timer with `start` unless one is running, and returns a token for it.
    ///
    /// Cancelling the token stops the timer that was running when the token was created, and no later one.
    package func connect(_ start: () -> any Cancellable) -> any Cancellable {
        let (number, isNew) = state.withLock { state in
            if state.isRunning { return (state.number, false) }
            state.number += 1
            state.isRunning = true
            return (state.number, true)
        }
        // Called without the lock, since starting a timer is foreign code. `store` cancels the timer if the connection
        // was stopped meanwhile.
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

/// A token that stops a timer when it is cancelled, but not when it is deallocated.
private struct TimerToken: Cancellable {
    let connection: TimerConnection
    let number: Int

    func cancel() {
        connection.stop(number)
    }
}
