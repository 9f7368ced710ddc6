import HTTPModel

/// The span of a turn in progress. Most turns have none.
// A class, so that the others hold a nil reference only.
final class TurnTrace {
    /// The span, for what the turn causes.
    let link: TraceLink
    /// The span that has caused the turn.
    let parentID: UInt64
    /// The time at which the turn began, in nanoseconds of Unix time.
    let start: UInt64

    init(link: TraceLink, parentID: UInt64, start: UInt64) {
        (self.link, self.parentID, self.start) = (link, parentID, start)
    }

    /// The span.
    var context: TraceContext { link.context }

    /// The span, as events of streams have it.
    var field: ArraySlice<UInt8> { link.field }
}

/// The span of an effect that was asked.
struct EffectSpan {
    /// The span, for the request of the effect and the turn of its answer.
    let link: TraceLink
    /// The span of the turn that has started the effect.
    let parentID: UInt64
    /// The time at which the effect was asked, in nanoseconds of Unix time.
    let start: UInt64
}
