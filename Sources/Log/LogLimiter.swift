/// Limits how many events of a kind are logged: a few per interval, followed by one line with the number of suppressed
/// events.
///
/// It has no I/O and no clock: the owner passes the time in nanoseconds of a monotonic clock, and calls
/// ``LogLimiter/intervalEnded(now:)`` at the requested time.
struct LogLimiter: Sendable {
    /// The decision about an event.
    enum Decision: Equatable {
        /// Log it.
        case write
        /// Do not log it. If there is a time, call `intervalEnded` then.
        case suppress(endsAt: UInt64?)
    }

    /// The suppressed events of a kind.
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

    /// The number of kinds that are counted separately. A program has few kinds, because messages are constant. Further
    /// kinds share a count.
    static let kinds = 64

    /// The number of events of a kind that are logged per interval.
    let allowance: Int
    /// The length of an interval in nanoseconds. An interval begins with an event.
    let interval: UInt64
    private var intervals: [Kind: Interval] = [:]
    private var isScheduled = false

    /// Creates a limiter without any events.
    init(allowance: Int, interval: UInt64) {
        self.allowance = allowance
        self.interval = interval
    }

    /// Counts an event of a kind, which consists of its level and its message.
    mutating func admit(_ level: LogLevel, _ message: String, now: UInt64) -> Decision {
        var kind = Kind(level: level, message: message)
        if intervals[kind] == nil, intervals.count >= LogLimiter.kinds {
            // Make room by removing intervals that have ended and have nothing to report.
            intervals = intervals.filter { $0.value.end > now || $0.value.suppressed > 0 }
            if intervals.count >= LogLimiter.kinds { kind = Kind(level: level, message: "other events") }
        }
        // An interval with suppressed events continues until they have been reported.
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
        // A single timer serves all kinds: `intervalEnded` returns the time of its next call.
        guard !isScheduled else { return .suppress(endsAt: nil) }
        isScheduled = true
        return .suppress(endsAt: current.end)
    }

    /// Ends the intervals whose time has passed.
    ///
    /// - Returns: The summaries to log, and the time of the next call, if any.
    mutating func intervalEnded(now: UInt64) -> (summaries: [Summary], next: UInt64?) {
        let summaries = end { $0.end <= now }
        let next = intervals.values.filter { $0.suppressed > 0 }.map(\.end).min()
        isScheduled = next != nil
        return (summaries, next)
    }

    /// Ends all intervals, because the program ends.
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
