import Dispatch
import Glibc
import Locking

/// Passes events to a sink. Events that clients can cause are subject to a ``LogLimiter``.
final class LimitedEvents: Sendable {
    /// The number of events of a kind that are logged per ``interval``.
    static let allowance = 5
    /// The time after which suppressed events are reported.
    static let interval = Duration.seconds(10)

    private let limiter = Lock(
        LogLimiter(allowance: LimitedEvents.allowance, interval: UInt64(interval.components.seconds) * 1_000_000_000))
    private let now: @Sendable () -> UInt64
    private let schedule: @Sendable (UInt64, @escaping @Sendable () -> Void) -> Void
    private let sink: @Sendable (LogEvent) -> Void

    /// Creates a filter for a sink.
    ///
    /// - Parameters:
    ///   - now: Returns the time of a monotonic clock in nanoseconds.
    ///   - schedule: Runs a closure at the given time, on any thread.
    ///   - sink: Receives the events to log, on any thread.
    init(
        now: @escaping @Sendable () -> UInt64,
        schedule: @escaping @Sendable (UInt64, @escaping @Sendable () -> Void) -> Void,
        sink: @escaping @Sendable (LogEvent) -> Void
    ) {
        (self.now, self.schedule, self.sink) = (now, schedule, sink)
    }

    /// Creates a filter that uses the system clock.
    convenience init(sink: @escaping @Sendable (LogEvent) -> Void) {
        let queue = DispatchQueue(label: "granary.log")
        self.init(now: LimitedEvents.systemTime) { time, work in
            queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time), execute: work)
        } sink: {
            sink($0)
        }
    }

    /// The clock of Dispatch's deadlines.
    private static func systemTime() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Passes an event on immediately, or counts it for a later summary.
    func take(_ event: LogEvent) {
        guard event.isLimited else { return sink(event) }
        let kind = LogLimiter.Kind(level: event.level, message: event.message, subject: event.subject)
        switch limiter.withLock({ $0.admit(kind, now: now()) }) {
        case .write: sink(event)
        case .suppress(let time?): schedule(time) { [self] in endIntervals() }
        case .suppress(nil): break
        }
    }

    /// Passes on the summaries of events that have not been reported yet.
    func finish() {
        report(limiter.withLock { $0.endAll() })
    }

    private func endIntervals() {
        let (summaries, next) = limiter.withLock { $0.intervalEnded(now: now()) }
        report(summaries)
        if let next { schedule(next) { [self] in endIntervals() } }
    }

    private func report(_ summaries: [LogLimiter.Summary]) {
        for summary in summaries {
            let fields = summary.kind.subject.map { (name: $0.name, value: $0.value) }
            sink(
                LogEvent(
                    level: summary.kind.level, message: summary.kind.message,
                    fields: [(name: "suppressed", value: .number(summary.count))] + fields))
        }
    }
}
