/// How busy a thread is: the processor time that it took of the time that passed, in windows one after the other.
struct ThreadLoad {
    /// What to make of the last window.
    enum Verdict {
        /// There is time for another loop like this.
        case roomy
        case moderate
        /// There is hardly any time left, or something was kept waiting for long.
        case saturated
    }

    /// How long a window lasts at least, in nanoseconds.
    static let window: UInt64 = 20_000_000
    /// The longest that one round may keep others waiting, in nanoseconds.
    static let longestRound: UInt64 = 25_000_000

    private var start: UInt64 = 0
    private var processorAtStart: UInt64 = 0
    private var longestRound: UInt64 = 0

    /// Begins a window, on a thread that may be another than before.
    mutating func restart(now: UInt64, processor: UInt64) {
        start = now
        processorAtStart = processor
        longestRound = 0
    }

    /// Counts a round in; answers whether the window has lasted long enough to be judged.
    mutating func add(roundFrom begin: UInt64, to end: UInt64) -> Bool {
        longestRound = max(longestRound, end - min(begin, end))
        return end >= start + ThreadLoad.window
    }

    /// Ends the window and begins the next.
    mutating func judge(now: UInt64, processor: UInt64) -> Verdict {
        let (passed, taken) = (now - min(start, now), processor - min(processorAtStart, processor))
        let stalled = longestRound >= ThreadLoad.longestRound
        restart(now: now, processor: processor)
        if stalled || taken * 10 > passed * 8 { return .saturated }
        return taken * 3 < passed ? .roomy : .moderate
    }
}
