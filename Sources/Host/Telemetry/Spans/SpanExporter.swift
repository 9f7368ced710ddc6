import Glibc
import Locking

/// Sends the spans of a process to a collector, in batches and off the event loops.
///
/// Spans that the collector does not accept in time are dropped and counted: a trace is not worth memory.
public final class SpanExporter: SpanReceiver {
    /// Sends a document, and reports once whether it was accepted.
    public typealias Send =
        @Sendable (_ json: [UInt8], _ ended: @escaping @Sendable (_ isAccepted: Bool) -> Void) -> Void
    /// Runs a closure after a delay, on any thread but that of an event loop.
    public typealias Schedule = @Sendable (_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> Void

    private static let exported = MetricFamily.counter(
        "granary_spans_exported", "Spans that the collector has accepted.")
    private static let dropped = MetricFamily.counter(
        "granary_spans_dropped",
        "Spans that were not exported: too many wait (full), too many in a second (rate), or the collector has not accepted them "
            + "(refused).", labels: "reason")

    private struct State {
        var batching: SpanBatching
        /// Called when nothing is left to send.
        var finished: [@Sendable () -> Void] = []
    }

    // Taken for sampled requests only.
    private let state: Lock<State>
    private let document: TraceDocument
    private let delay: Duration
    private let clock: @Sendable () -> UInt64
    private let schedule: Schedule
    private let send: Send

    /// Creates an exporter.
    ///
    /// - Parameters:
    ///   - document: Writes the documents.
    ///   - perSecond: The maximum number of spans in a second.
    ///   - delay: The time after the first span of a batch at which it is sent.
    ///   - clock: Returns the time in nanoseconds of Unix time.
    ///   - schedule: Runs work off the event loops.
    ///   - send: Sends a document to the collector.
    public init(
        _ document: TraceDocument, perSecond: Int, delay: Duration = .seconds(2),
        clock: @escaping @Sendable () -> UInt64 = SpanExporter.systemClock, schedule: @escaping Schedule,
        send: @escaping Send
    ) {
        state = Lock(State(batching: SpanBatching(SpanBatching.Limits(perSecond: perSecond))))
        (self.document, self.delay, self.clock) = (document, delay, clock)
        (self.schedule, self.send) = (schedule, send)
    }

    /// Returns the system's time in nanoseconds of Unix time.
    @Sendable public static func systemClock() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The time in nanoseconds of Unix time.
    public var now: UInt64 { clock() }

    /// Takes a span. Takes a lock for some nanoseconds, and never waits for the collector.
    public func record(_ span: Span) {
        let now = clock()
        perform(state.withLock { $0.batching.spanEnded(span, now: now) })
    }

    /// Sends what is left, and then calls a closure: immediately if nothing is left. A batch that the collector does not accept ends it.
    func finish(_ finished: @escaping @Sendable () -> Void) {
        let action = state.withLock { state in
            state.finished.append(finished)
            return state.batching.finish()
        }
        perform(action)
        reportIfFinished()
    }

    /// Sends what is left, and returns when nothing is, or after a time.
    public func finish(within limit: Duration) async {
        await withCheckedContinuation { continuation in
            let waiting = Lock<CheckedContinuation<Void, Never>?>(continuation)
            let end: @Sendable () -> Void = {
                let first = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                first?.resume()
            }
            finish(end)
            schedule(limit, end)
        }
    }

    /// Adds the number of exported and dropped spans to metrics.
    public func addMetrics(to snapshot: inout MetricSnapshot) {
        let (exported, dropped) = state.withLock { ($0.batching.exported, $0.batching.dropped) }
        snapshot.set(SpanExporter.exported, to: Double(exported))
        // All of them, so that an increase from nothing to one is noticed.
        for loss in SpanBatching.Loss.allCases {
            snapshot.set(SpanExporter.dropped, loss.rawValue, to: Double(dropped[loss] ?? 0))
        }
    }

    private func perform(_ action: SpanBatching.Action) {
        switch action {
        case .none: break
        case .wait: schedule(delay) { [self] in perform(state.withLock { $0.batching.delayPassed() }) }
        case .export(let spans):
            schedule(.zero) { [self] in
                send(document.json(of: spans)) { [self] isAccepted in
                    perform(state.withLock { $0.batching.exportEnded(isAccepted: isAccepted) })
                    reportIfFinished()
                }
            }
        }
    }

    private func reportIfFinished() {
        let finished = state.withLock { state in
            guard state.batching.isIdle else { return [@Sendable () -> Void]() }
            defer { state.finished = [] }
            return state.finished
        }
        for report in finished { report() }
    }
}
