import Synchronization

/// The clock of stored times: it continues in the next process, and nobody can set it.
///
/// Stored times are nanoseconds since 1970. They begin with the wall clock, and from then on advance with the system's uptime. So the
/// span between two stored times is right, whatever happens to the wall clock. The difference between the two clocks, the
/// ``wallLead``, converts a stored time for people.
///
/// May be used on any thread.
public final class StoredClock: Sendable {
    /// The change of the wall clock that is noticed, in nanoseconds.
    private static let leastStep: Int64 = 10_000_000
    /// The time between the readings of two clocks within which they belong together, in nanoseconds.
    private static let maxReadingTime: Int64 = 1_000_000

    private let uptime: @Sendable () -> Int64
    private let wallTime: @Sendable () -> Int64
    private let beginning: Atomic<Int64>
    private let lead = Atomic<Int64>(0)

    /// Creates a clock that begins with the wall clock.
    ///
    /// - Parameters:
    ///   - uptime: Returns nanoseconds of a clock that never steps, and is the same in all processes until the system is started again.
    ///   - wallTime: Returns the wall time, in nanoseconds since 1970.
    public init(uptime: @escaping @Sendable () -> Int64, wallTime: @escaping @Sendable () -> Int64) {
        self.uptime = uptime
        self.wallTime = wallTime
        beginning = Atomic(wallTime() &- uptime())
    }

    /// The stored time at which the uptime was zero, in nanoseconds.
    public var offset: Int64 { beginning.load(ordering: .relaxed) }

    /// The current stored time, in nanoseconds.
    public var now: Int64 { uptime() &+ offset }

    /// By how much the wall clock was ahead of stored times when that was derived last, in milliseconds; 0 unless it was set.
    public var wallLead: Int64 { lead.load(ordering: .relaxed) }

    /// Continues the clock of another process.
    ///
    /// - Parameters:
    ///   - offset: The stored time at which the uptime was zero, in nanoseconds.
    ///   - lead: The lead of the wall clock, in milliseconds.
    public func continueFrom(offset: Int64, lead: Int64) {
        beginning.store(offset, ordering: .relaxed)
        self.lead.store(lead, ordering: .relaxed)
    }

    /// Derives ``wallLead`` again, and returns it. It stays the same unless the wall clock was set.
    @discardableResult
    public func deriveWallLead() -> Int64 {
        let known = wallLead
        let before = uptime()
        let wall = wallTime()
        // The thread may have been suspended in between. The next reading is better.
        guard uptime() &- before < StoredClock.maxReadingTime else { return known }
        let measured = wall &- before &- offset
        guard (measured &- known &* 1_000_000).magnitude >= UInt64(StoredClock.leastStep) else { return known }
        let rounded = (measured &+ (measured < 0 ? -500_000 : 500_000)) / 1_000_000
        lead.store(rounded, ordering: .relaxed)
        return rounded
    }

    /// Returns by how much the uptime is ahead of another clock, in nanoseconds; zero if the other clock is the uptime, read a moment
    /// ago.
    ///
    /// - Parameter now: The current time of the other clock, in nanoseconds.
    public func uptimeLead(over now: Int64) -> Int64 {
        let difference = uptime() &- now
        return difference.magnitude < 1_000_000_000 ? 0 : difference
    }
}
