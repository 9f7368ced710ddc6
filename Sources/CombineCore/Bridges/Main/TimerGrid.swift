/// The moments at which a repeating timer fires: `start + k · interval`, so that lateness does not add up.
///
/// A timer that is more than an interval late leaves out the moments that it has missed and goes on with the next one on
/// the grid, as the timers of queues and run loops do. It never fires twice to catch up.
package struct TimerGrid: Sendable {
    /// The least interval, which is also that of the timers of run loops: a repetition without a pause would not let
    /// anything else run.
    private static let minimumInterval = Duration.microseconds(100)

    private let interval: Duration

    /// The grid of a timer with this interval, or with the least one if it is shorter.
    package init(interval: Duration) {
        self.interval = max(interval, TimerGrid.minimumInterval)
    }

    private func nanoseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
    }

    /// The next moment of a timer that was due then and fires now; always later than now.
    package func moment(after due: Duration, now: Duration) -> Duration {
        let next = due + interval
        guard next <= now else { return next }
        let missed = nanoseconds(now - due) / nanoseconds(interval)
        return due + .nanoseconds((missed + 1) * nanoseconds(interval))
    }
}
