import HTTPModel
import Telemetry

// The spans of effects.
extension SessionEffects {
    /// Returns the span of an effect that is being asked; nil if it belongs to no sampled trace, or nothing is traced.
    func beginSpan(in trace: TraceLink?) -> EffectSpan? {
        assertOnLoop()
        guard let trace, let spans = session?.host.spans else { return nil }
        return EffectSpan(link: trace.child(), parentID: trace.context.spanID, start: spans.now)
    }

    /// Records the span of an effect that has ended. One that ends with its session is not recorded: the next process may ask it again.
    func record(_ span: EffectSpan, of name: String, attempt: UInt64, failure: String?) {
        // The shard of a session that has ended may no longer exist.
        guard let session, session.endReason == nil, let spans = session.host.spans else { return }
        spans.record(
            Span(
                "effect", .client, span.link.context, parentID: span.parentID, from: span.start, to: spans.now,
                [
                    Span.Attribute("granary.machine", .text(session.machineKind.definition.name)),
                    Span.Attribute("granary.session", .text(session.id.hash)),
                    Span.Attribute("granary.effect", .text(name)),
                    Span.Attribute("granary.attempt", .number(Int64(clamping: attempt))),
                ], failure: failure))
    }

    /// Runs a block of the turn in progress as a part of the trace of an effect.
    func continuing(_ effect: TraceLink?, _ block: () -> Void) {
        assertOnLoop()
        guard let effect, let session else { return block() }
        session.turns.continuing(effect, block)
    }

    /// Runs the closure that asks an effect.
    func withCall<Result>(_ call: EffectCall, in span: EffectSpan?, _ ask: () -> Result) -> Result {
        EffectCall.$current.withValue(call) {
            guard let span else { return ask() }
            return TraceContext.$current.withValue(span.link.context) { ask() }
        }
    }
}
