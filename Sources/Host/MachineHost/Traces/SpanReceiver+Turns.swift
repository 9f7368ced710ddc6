package import HTTPModel
package import Log
import Telemetry

// The spans of turns and of what they cause.
extension SpanReceiver {
    /// Records the span of a turn that has ended.
    ///
    /// - Parameter cause: The trigger of the turn, for people.
    func record(
        _ outcome: TurnOutcome, of session: Session, _ trace: TurnTrace, cause: String
    ) {
        var attributes = [
            Span.Attribute("granary.machine", .text(session.machineKind.definition.name)),
            Span.Attribute("granary.session", .text(session.id.hash)),
            Span.Attribute("granary.cause", .text(cause)),
        ]
        var failure: String?
        switch outcome {
        case .unchanged: break
        case .changed, .changedLarge: attributes.append(.version(session.version))
        case .failed(let incident): failure = "incident \(incident)"
        }
        record(
            Span(
                "turn", .internal, trace.context, parentID: trace.parentID, from: trace.start, to: now, attributes,
                failure: failure))
        // Without storage, streams may send the change already.
        if session.storage == nil, outcome.hasChange {
            recordChange(of: session, session.version, trace.context, from: now)
        }
    }

    /// Records that a turn was stored, and that streams may send its change.
    func recordCommit(of turn: TurnJournal.UncommittedTurn, _ trace: TurnJournal.UncommittedTrace) {
        let now = now
        record(
            Span(
                "journal commit", .internal, trace.context.child(), parentID: trace.context.spanID, from: trace.start,
                to: now, [Span.Attribute("granary.bytes", .number(Int64(turn.byteCount)))]))
        if trace.hasChange { recordChange(of: turn.session, turn.version, trace.context, from: now) }
    }

    private func recordChange(of session: Session, _ version: UInt64, _ turn: TraceContext, from start: UInt64) {
        record(
            Span(
                "change", .producer, turn.child(), parentID: turn.spanID, from: start, to: now,
                [.version(version), Span.Attribute("granary.streams", .number(Int64(session.streams.count)))]))
    }
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
