/// The state of the lookups of the disk's free space: when the next one is due. A value without I/O: the writer performs the lookups.
struct FreeSpace {
    /// The time between two lookups, in milliseconds.
    static let interval: Int64 = 1000

    /// The free bytes below which inputs are refused; 0 if they are never refused.
    let reserve: Int64
    /// The stored time of the last lookup, in milliseconds.
    private var lookup: Int64 = 0
    private var isRepetitionScheduled = false

    /// Creates the state before the first lookup.
    init(reserve: Int64) {
        self.reserve = reserve
    }

    func isDue(now: Int64) -> Bool { now - lookup >= FreeSpace.interval }

    /// Begins a lookup. Returns whether the number of free bytes matters.
    mutating func begin(now: Int64) -> Bool {
        lookup = now
        return reserve > 0
    }

    /// Takes the number of free bytes.
    ///
    /// - Returns: Whether inputs are refused, and whether the caller must schedule another lookup after the interval.
    mutating func found(_ free: Int64) -> (isLow: Bool, repeats: Bool) {
        let isLow = free < reserve
        // Without inputs there are no commits, which would find that the disk has room again.
        let repeats = isLow && !isRepetitionScheduled
        if repeats { isRepetitionScheduled = true }
        return (isLow, repeats)
    }

    /// Begins the lookup that was scheduled.
    mutating func repetitionBegins() {
        assert(isRepetitionScheduled, "expected a lookup that was scheduled")
        isRepetitionScheduled = false
    }
}
