package import HTTPModel
package import Log
import Telemetry

// The spans of turns and of what they cause. Nothing here runs for a turn without a trace.
extension SessionShard {
    /// Makes the turn in progress a part of a trace, unless it is one already.
    func joinTrace(_ cause: TraceLink) {
        guard let spans = host.spans, currentTurn?.isTraced == false, let link = cause.next() else { return }
        currentTurn?.isTraced = true
        turnTraces.append(TurnTrace(link: link, parentID: cause.context.spanID, start: spans.now))
    }

    /// The span of the turn in progress; nil if it belongs to no sampled trace.
    var currentTrace: TurnTrace? { currentTurn?.isTraced == true ? turnTraces.last : nil }

    /// Forgets the span of the turn in progress, which has ended.
    func leaveTrace() {
        if currentTurn?.isTraced == true { turnTraces.removeLast() }
    }

    /// Runs a block of the turn in progress as a part of a trace.
    func continuing(_ cause: TraceLink?, _ block: () -> Void) {
        guard let cause else { return block() }
        joinTrace(cause)
        TraceContext.$current.withValue(currentTrace?.context) { block() }
    }

    /// Records the span of the turn in progress, which has ended.
    ///
    /// - Parameter cause: What has caused it, if it is no turn.
    func recordTrace(of session: Session, _ outcome: TurnOutcome, cause: String? = nil) {
        guard let spans = host.spans, let trace = currentTrace else { return }
        var attributes = [
            Span.Attribute("granary.machine", .text(session.machineKind.definition.name)),
            Span.Attribute("granary.session", .text(session.id.hash)),
            Span.Attribute("granary.cause", .text(cause ?? (currentTurn?.trigger ?? .scheduled).text)),
        ]
        var failure: String?
        switch outcome {
        case .unchanged: break
        case .changed, .changedLarge: attributes.append(.version(session.version))
        case .failed(let incident): failure = "incident \(incident)"
        }
        spans.record(
            Span(
                "turn", .internal, trace.context, parentID: trace.parentID, from: trace.start, to: spans.now,
                attributes,
                failure: failure))
        // Without storage, streams may send the change already.
        if session.storage == nil, outcome.hasChange {
            recordRelease(of: session, session.version, trace.context, from: spans.now)
        }
    }

    /// Returns what is kept of a span while the journal stores its turn.
    func heldTrace(_ turn: TraceLink, hasChange: Bool) -> OutputGate.HeldTrace {
        OutputGate.HeldTrace(turn.context, from: host.spans?.now ?? 0, hasChange: hasChange)
    }

    /// Records that a turn was stored, and that streams may send its change.
    func recordStored(_ turn: OutputGate.HeldTurn, _ trace: OutputGate.HeldTrace) {
        guard let spans = host.spans else { return }
        let now = spans.now
        spans.record(
            Span(
                "journal commit", .internal, trace.context.child(), parentID: trace.context.spanID, from: trace.start,
                to: now, [Span.Attribute("granary.bytes", .number(Int64(turn.byteCount)))]))
        if trace.hasChange { recordRelease(of: turn.session, turn.version, trace.context, from: now) }
    }

    private func recordRelease(of session: Session, _ version: UInt64, _ turn: TraceContext, from start: UInt64) {
        guard let spans = host.spans else { return }
        spans.record(
            Span(
                "change", .producer, turn.child(), parentID: turn.spanID, from: start, to: spans.now,
                [.version(version), Span.Attribute("granary.streams", .number(Int64(session.streams.count)))]))
    }

    /// The fields of a log line that name the trace of the turn in progress; none if it has no trace.
    var traceFields: LogEvent.Fields { currentTrace?.context.logFields ?? [] }
}

extension Span.Attribute {
    fileprivate static func version(_ version: UInt64) -> Span.Attribute {
        Span.Attribute("granary.version", .number(Int64(clamping: version)))
    }
}

extension TurnOutcome {
    fileprivate var hasChange: Bool {
        switch self {
        case .changed, .changedLarge: true
        case .unchanged, .failed: false
        }
    }
}

extension TraceContext {
    /// The fields of a log line that belongs to the span.
    package var logFields: LogEvent.Fields {
        [(name: "trace", value: .text(traceIDText)), (name: "span", value: .text(spanIDText))]
    }
}
