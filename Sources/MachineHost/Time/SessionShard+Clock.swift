import HTTPModel
import StateCapture

// The loop's clock, stored times and the wall clock.
extension SessionShard {
    /// The stored time at which the loop's clock was zero, in nanoseconds. Constant while the journal is open.
    var clockOffset: Int64 { clock.offset &+ uptimeLead }

    /// The stored time of the current round, in nanoseconds since 1970.
    var storedNanoseconds: Int64 { Int64(truncatingIfNeeded: loop.now.nanoseconds) &+ clockOffset }

    /// The stored time of the current round, in milliseconds since 1970.
    var storedMilliseconds: Int64 { storedNanoseconds / 1_000_000 }

    /// By how much the wall clock is ahead of stored times now, in milliseconds, to show them to people.
    var shownLead: Int64 { clock.deriveWallLead() }
}

extension StoredClock {
    /// Creates the clock of a loop whose sessions are not stored. Use it on the loop only.
    convenience init(of loop: any EventLoop, _ wallClock: @escaping @Sendable () -> WallTime) {
        self.init {
            Int64(truncatingIfNeeded: loop.now.nanoseconds)
        } wallTime: {
            wallClock().sinceBeginning
        }
    }
}
