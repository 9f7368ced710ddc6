/// The load of a thread: the share of the elapsed time for which it used a processor, in consecutive windows. While the
/// thread is busy, also whether the machine has idle processors.
struct ThreadLoad {
    /// The result of a window.
    enum Verdict {
        /// The thread has time for another loop like this one.
        case light
        case moderate
        /// The thread has hardly any time left, and no processor is idle.
        case busy
        /// The thread has hardly any time left while a processor is idle, or a round took too long.
        case overloaded
    }

    /// The minimum length of a window, in nanoseconds.
    static let window: UInt64 = 20_000_000
    /// The longest round that is acceptable while others wait, in nanoseconds.
    static let maxRoundTime: UInt64 = 25_000_000
    /// How long a thread must have been busy before the loop checks for idle processors, in nanoseconds. The kernel
    /// counts idle time in coarse ticks.
    static let busyPeriod: UInt64 = 200_000_000

    private var start: UInt64 = 0
    private var processorAtStart: UInt64 = 0
    private var longestRound: UInt64 = 0
    /// When the thread became busy, and the idle time of the machine at that moment.
    private var busy: (since: UInt64, idle: UInt64)?

    /// Begins a window, possibly on another thread than before.
    mutating func restart(now: UInt64, processor: UInt64) {
        start = now
        processorAtStart = processor
        longestRound = 0
    }

    /// Adds a round; returns whether the window has lasted long enough to be judged.
    mutating func add(roundFrom begin: UInt64, to end: UInt64) -> Bool {
        longestRound = max(longestRound, end - min(begin, end))
        return end >= start + ThreadLoad.window
    }

    /// Ends the window and begins the next one. `idle` returns the idle time of all processors together.
    mutating func judge(now: UInt64, processor: UInt64, idle: () -> UInt64) -> Verdict {
        // Clamped: after a change of threads the processor time may be smaller than at the start of the window.
        let (passed, taken) = (now - min(start, now), processor - min(processorAtStart, processor))
        let isStalled = longestRound >= ThreadLoad.maxRoundTime
        restart(now: now, processor: processor)
        if isStalled { return .overloaded }
        guard taken * 10 > passed * 8 else {
            busy = nil
            return taken * 3 < passed ? .light : .moderate
        }
        guard let period = busy else {
            busy = (now, idle())
            return .busy
        }
        guard now >= period.since + ThreadLoad.busyPeriod else { return .busy }
        let spare = idle()
        busy = (now, spare)
        // At least half a processor: with less, another thread would only take time from those that are busy.
        return (spare - min(period.idle, spare)) * 2 >= now - period.since ? .overloaded : .busy
    }
}
