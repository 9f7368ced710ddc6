import HTTPModel
import Locking
import StateCapture

// The clock of what is stored.
extension JournalWriter {
    /// The stored time, in milliseconds.
    var storedMilliseconds: Int64 { clock.now / 1_000_000 }

    func continueClock(of journal: any Journal) throws {
        let anchor = ClockAnchor.following(
            try ClockAnchor(storedIn: journal), boot: bootID(),
            uptime: Int64(truncatingIfNeeded: uptime().nanoseconds), wallTime: wallClock().sinceBeginning)
        clock.continueFrom(offset: anchor.offset, lead: anchor.wallLead)
        clock.deriveWallLead()
        thread.value.anchor = anchor
    }

    /// Makes the clock a part of a batch.
    func addClock(to batch: inout JournalBatch) {
        thread.value.anchor.wallLead = clock.wallLead
        thread.value.anchor.reached = storedMilliseconds
        batch.add(.set(property: ClockAnchor.property, value: thread.value.anchor.content))
    }

    /// Whether a batch that is stored now must contain the clock.
    var isClockOutdated: Bool { thread.value.anchor.isOutdated(at: storedMilliseconds, lead: clock.wallLead) }

    /// Stores the clock if the wall clock was set while nothing else was stored, and looks up what has become due while the system was
    /// suspended, which delays of the executor may not count.
    func checkClock(of journal: any Journal) throws {
        if clock.deriveWallLead() != thread.value.anchor.wallLead { try storeClock(in: journal) }
        guard thread.value.nextLookup <= storedMilliseconds else { return }
        thread.value.nextLookup = .max
        lookUpDue()
    }

    /// Returns the wall time of a stored time, by the present wall clock.
    ///
    /// - Parameter milliseconds: The stored time.
    package func wallTime(of milliseconds: Int64) -> WallTime {
        WallTime(seconds: (milliseconds &+ clock.deriveWallLead()) / 1000)
    }
}
