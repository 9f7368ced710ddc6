/// The time of a round, which all kinds of work in it share: events, tasks, turns of sources, timers, and marked handlers.
///
/// Each kind does at least one piece of work in a round, and gets a quarter of the time even if others have used it up. So a client
/// waits for about two rounds at most, whatever the others keep the loop busy with.
struct RoundBudget {
    /// The time of a round in nanoseconds, and what each kind of work gets of it in any case.
    private static let roundTime: UInt64 = 2_000_000
    private static let ownTime: UInt64 = roundTime / 4

    private var roundEnd: UInt64 = 0
    private var ownTime: UInt64 = 0
    /// The end of the time for the current kind of work.
    private var end: UInt64 = 0
    /// The clock when it was read last.
    private var latest: UInt64 = 0

    /// Begins a round, with the handling of events.
    ///
    /// - Parameter loops: The number of loops that share the thread, and thereby the time that a client may have to wait.
    mutating func beginRound(at now: UInt64, loops: UInt64) {
        roundEnd = now + RoundBudget.roundTime / loops
        ownTime = RoundBudget.ownTime / loops
        end = roundEnd
        latest = now
    }

    /// Begins with the next kind of work.
    // Without reading the clock, which may have advanced since it was read last: an idle loop does not pay for it.
    mutating func beginKind() { end = max(roundEnd, latest + ownTime) }

    /// Returns whether the rest of the current kind of work has to wait for a later round.
    mutating func isOver(at now: UInt64) -> Bool {
        latest = now
        return now >= end
    }
}
