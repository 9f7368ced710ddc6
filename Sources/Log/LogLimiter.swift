/// Bounds how many events of a kind are written: a few in each interval, then one line with the number of the others.
///
/// Without I/O and without a clock: the owner passes the time in, in nanoseconds of a monotonic clock, and calls
/// ``LogLimiter/intervalEnded(now:)`` at the time that it was given.
struct LogLimiter: Sendable {
    /// What the owner does with an event.
    enum Decision: Equatable {
        /// Write it.
        case write
        /// Do not write it, and call `intervalEnded` at that time, if any: nobody has been asked to yet.
        case suppress(endsAt: UInt64?)
    }

    /// Events of one kind that were not written.
    struct Summary: Equatable {
        let level: LogLevel
        let message: String
        /// The number of events.
        let count: Int
    }

    private struct Kind: Hashable {
        let level: LogLevel
        let message: String
    }

    private struct Interval {
        let end: UInt64
        var written = 1
        var suppressed = 0
    }

    /// The number of kinds that are counted one by one. A program has a few, since messages are fixed; others share a count.
    static let kinds = 64

    /// The number of events of a kind that are written in an interval.
    let allowance: Int
    /// The nanoseconds from an event to the end of the interval that it begins.
    let interval: UInt64
    private var intervals: [Kind: Interval] = [:]
    private var isScheduled = false

    /// A limiter that has seen nothing.
    init(allowance: Int, interval: UInt64) {
        self.allowance = allowance
        self.interval = interval
    }

    /// An event of a kind, which its level and its message are.
    mutating func admit(_ level: LogLevel, _ message: String, now: UInt64) -> Decision {
        var kind = Kind(level: level, message: message)
        if intervals[kind] == nil, intervals.count >= LogLimiter.kinds {
            // What is over and has nothing to report makes room.
            intervals = intervals.filter { $0.value.end > now || $0.value.suppressed > 0 }
            if intervals.count >= LogLimiter.kinds { kind = Kind(level: level, message: "other events") }
        }
        // An interval that is over with something to report goes on until that was reported.
        guard var current = intervals[kind], current.end > now || current.suppressed > 0 else {
            intervals[kind] = Interval(end: now + interval)
            return .write
        }
        defer { intervals[kind] = current }
        if current.written < allowance {
            current.written += 1
            return .write
        }
        current.suppressed += 1
        guard !isScheduled else { return .suppress(endsAt: nil) }
        isScheduled = true
        return .suppress(endsAt: current.end)
    }

    /// Ends the intervals that are over.
    ///
    /// - Returns: What to write, and when to call this again, if at all.
    mutating func intervalEnded(now: UInt64) -> (summaries: [Summary], next: UInt64?) {
        let summaries = end { $0.end <= now }
        let next = intervals.values.filter { $0.suppressed > 0 }.map(\.end).min()
        isScheduled = next != nil
        return (summaries, next)
    }

    /// Ends all intervals, as the program ends.
    mutating func endAll() -> [Summary] {
        end { _ in true }
    }

    private mutating func end(where isOver: (Interval) -> Bool) -> [Summary] {
        let over = intervals.filter { isOver($0.value) }
        for kind in over.keys { intervals[kind] = nil }
        return over.filter { $0.value.suppressed > 0 }
            .map { Summary(level: $0.key.level, message: $0.key.message, count: $0.value.suppressed) }
            .sorted { $0.message < $1.message }
    }
}
