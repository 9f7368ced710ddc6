/// The times at which a session ended its process, which decide whether it may be restored again. A pure value.
struct TrapHistory: Equatable {
    /// The stored times in milliseconds, oldest first.
    private(set) var times: [Int64] = []

    /// The number of traps within ``window`` after which a session is quarantined.
    static let limit = 3
    /// The time within which traps count together, and for which a session is then quarantined, in milliseconds.
    // A session that takes the process down whenever it wakes would otherwise end all others again and again. An hour later, it
    // may be another build that restores it.
    static let window: Int64 = 3_600_000

    mutating func add(_ time: Int64) {
        times.append(time)
        times.removeFirst(max(0, times.count - TrapHistory.limit))
    }

    /// Returns when the session may be restored again; nil if it may be restored now.
    func quarantineEnd(now: Int64) -> Int64? {
        guard times.count >= TrapHistory.limit, let first = times.first, let last = times.last,
            last - first <= TrapHistory.window, now < last + TrapHistory.window
        else { return nil }
        return last + TrapHistory.window
    }
}
