import HTTPModel
import StateCapture

/// The clocks of a loop: its seconds, stored times and the wall clock. Confined to its loop.
final class LoopClock {
    /// The clock of what is stored.
    let stored: StoredClock
    private let loop: any EventLoop
    /// The time at which the shard was created.
    private let beginning: MonotonicTime
    /// By how much the system's uptime is ahead of the loop's clock, in nanoseconds; zero unless the loop has a clock of its own.
    private let uptimeLead: Int64

    init(of loop: any EventLoop, in host: SessionHost) {
        self.loop = loop
        beginning = loop.now
        stored = host.journal?.clock ?? StoredClock(of: loop, host.wallClock)
        uptimeLead = stored.uptimeLead(over: Int64(truncatingIfNeeded: loop.currentTime.nanoseconds))
    }

    /// The number of seconds since the shard was created.
    var tick: Tick { Tick(truncatingIfNeeded: (loop.now.nanoseconds - beginning.nanoseconds) / 1_000_000_000) }

    /// The time at which the next second begins.
    var nextTick: MonotonicTime { beginning + .seconds(Int64(tick) + 1) }

    /// The stored time at which the loop's clock was zero, in nanoseconds. Constant while the journal is open.
    var offset: Int64 { stored.offset &+ uptimeLead }

    /// The stored time of the current round, in nanoseconds.
    var storedNanoseconds: Int64 { Int64(truncatingIfNeeded: loop.now.nanoseconds) &+ offset }

    /// The stored time of the current round, in milliseconds.
    var storedMilliseconds: Int64 { storedNanoseconds / 1_000_000 }

    /// By how much the wall clock is ahead of stored times now, in milliseconds, to show them to people.
    var shownLead: Int64 { stored.deriveWallLead() }
}

extension StoredClock {
    /// Creates the clock of a loop whose sessions are not stored. Use it on the loop only.
    fileprivate convenience init(of loop: any EventLoop, _ wallClock: @escaping @Sendable () -> WallTime) {
        self.init {
            Int64(truncatingIfNeeded: loop.now.nanoseconds)
        } wallTime: {
            wallClock().sinceBeginning
        }
    }
}
