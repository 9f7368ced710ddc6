/// How busy a thread is: the processor time that it took of the time that passed, in windows one after the other; and, while
/// it is busy, whether the machine has processors to spare.
struct ThreadLoad {
    /// What to make of the last window.
    enum Verdict {
        /// There is time for another loop like this.
        case light
        case moderate
        /// There is hardly any time left, and nobody else has some to give.
        case busy
        /// There is hardly any time left here, and there is some elsewhere; or something was kept waiting for long.
        case overloaded
    }

    /// How long a window lasts at least, in nanoseconds.
    static let window: UInt64 = 20_000_000
    /// The longest that one round may keep others waiting, in nanoseconds.
    static let longestRound: UInt64 = 25_000_000
    /// How long a thread has to have been busy before the machine is looked at, in nanoseconds: its clock is coarse.
    static let busyPeriod: UInt64 = 200_000_000

    private var start: UInt64 = 0
    private var processorAtStart: UInt64 = 0
    private var longestRound: UInt64 = 0
    /// Since when the thread has been busy, and how long the machine had been idle then.
    private var busy: (since: UInt64, idle: UInt64)?

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

    /// Ends the window and begins the next. `idle` tells how long the machine's processors have been idle, all together.
    mutating func judge(now: UInt64, processor: UInt64, idle: () -> UInt64) -> Verdict {
        let (passed, taken) = (now - min(start, now), processor - min(processorAtStart, processor))
        let isStalled = longestRound >= ThreadLoad.longestRound
        restart(now: now, processor: processor)
        if isStalled { return .overloaded }
        guard taken * 10 > passed * 8 else {
            busy = nil
            return taken * 3 < passed ? .light : .moderate
        }
        guard let spell = busy else {
            busy = (now, idle())
            return .busy
        }
        guard now >= spell.since + ThreadLoad.busyPeriod else { return .busy }
        let spare = idle()
        busy = (now, spare)
        // Half a processor at least: with less, another thread would only take from those that are at work.
        return (spare - min(spell.idle, spare)) * 2 >= now - spell.since ? .overloaded : .busy
    }
}
