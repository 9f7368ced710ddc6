/// Limits how many events of a kind are logged: a few per interval, followed by one line with the number of suppressed
/// events. Events that have a subject are counted for each one.
///
/// It has no I/O and no clock: the owner passes the time in nanoseconds of a monotonic clock, and calls
/// ``LogLimiter/intervalEnded(now:)`` at the requested time.
struct LogLimiter: Sendable {
    /// The decision about an event.
    enum Decision: Equatable {
        case write
        /// Do not log it. If there is a time, call `intervalEnded` then.
        case suppress(endsAt: UInt64?)
    }

    /// The suppressed events of a kind.
    struct Summary: Equatable {
        let kind: Kind
        let count: Int
    }

    /// The level, message and subject of events that are counted together.
    struct Kind: Hashable {
        let level: LogLevel
        var message: String
        var subject: [LogEvent.Detail] = []
    }

    private struct Interval {
        let end: UInt64
        var written = 1
        var suppressed = 0
    }

    /// The number of kinds that are counted separately. A program has few without subjects, because messages are constant.
    /// Further kinds share a count.
    static let kinds = 256
    /// The number of kinds from which events with further subjects are counted without them. The rest is for kinds without any.
    static let subjects = 192

    /// The number of events of a kind that are logged per interval.
    let allowance: Int
    /// The length of an interval in nanoseconds. An interval begins with an event.
    let interval: UInt64
    private var intervals: [Kind: Interval] = [:]
    private var isScheduled = false
    /// The time before which no interval ends that has nothing to report.
    private var nextRemoval: UInt64 = 0

    /// Creates a limiter without any events.
    init(allowance: Int, interval: UInt64) {
        self.allowance = allowance
        self.interval = interval
    }

    mutating func admit(_ kind: Kind, now: UInt64) -> Decision {
        var kind = kind
        if !kind.subject.isEmpty, !hasRoom(for: kind, LogLimiter.subjects, now: now) { kind.subject = [] }
        if kind.subject.isEmpty, !hasRoom(for: kind, LogLimiter.kinds, now: now) { kind.message = "other events" }
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

    private mutating func hasRoom(for kind: Kind, _ most: Int, now: UInt64) -> Bool {
        guard intervals[kind] == nil, intervals.count >= most else { return true }
        guard now >= nextRemoval else { return false }
        // Make room by removing intervals that have ended and have nothing to report.
        intervals = intervals.filter { $0.value.end > now || $0.value.suppressed > 0 }
        // A flood of clients must not cause this again before it makes room.
        nextRemoval = intervals.values.filter { $0.suppressed == 0 }.map(\.end).min() ?? now + interval
        return intervals.count < most
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
            .map { Summary(kind: $0.key, count: $0.value.suppressed) }
            .sorted { $0.kind.message < $1.kind.message }
    }
}
