/// The times at which a repeating timer fires: `start + k · interval`, so that delays do not add up.
///
/// A timer that is more than one interval late skips the missed times and continues with the next one on the grid, as
/// the timers of queues and run loops do. It never fires twice to catch up.
package struct TimerGrid: Sendable {
    /// The minimum interval, which is also that of run-loop timers.
    // A repetition without a pause would keep the session's loop from running anything else.
    private static let minimumInterval = Duration.microseconds(100)

    private let interval: Duration

    /// Creates the grid of a timer with the given interval, or the minimum interval if that is longer.
    package init(interval: Duration) {
        self.interval = max(interval, TimerGrid.minimumInterval)
    }

    /// Returns the next time for a timer that was due at `due` and fires at `now`. It is always later than `now`.
    package func moment(after due: Duration, now: Duration) -> Duration {
        let next = due + interval
        guard next <= now else { return next }
        // A stored time may lie as far back as 64 bits reach, so the distance may exceed them.
        let missed = (now - due).allNanoseconds / interval.allNanoseconds
        return due + .nanoseconds((missed + 1) * interval.allNanoseconds)
    }
}
