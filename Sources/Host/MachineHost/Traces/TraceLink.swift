import HTTPModel
import JSONText

/// The trace to which a turn belongs, for what the turn causes later. It is stored with the turn and with its effects.
struct TraceLink: Equatable {
    /// The maximum number of turns in a row that may continue a trace after the turn of its request.
    // A machine that polls would otherwise continue the trace of one request for as long as it lives.
    static let maxTurns = 16

    /// The span of the turn.
    let context: TraceContext
    /// The number of turns in a row that may still continue the trace.
    let turnsLeft: Int

    /// Creates the link of a request's span.
    init(_ context: TraceContext) {
        self.init(context, turnsLeft: TraceLink.maxTurns)
    }

    private init(_ context: TraceContext, turnsLeft: Int) {
        assert(
            (0...TraceLink.maxTurns).contains(turnsLeft),
            "expected at most \(TraceLink.maxTurns) turns, got \(turnsLeft)")
        (self.context, self.turnsLeft) = (context, turnsLeft)
    }

    /// Returns the link of a span that this one has caused in the same turn.
    func child() -> TraceLink { TraceLink(context.child(), turnsLeft: turnsLeft) }

    /// Returns the link of a turn that this one has caused; nil if there were enough of them.
    func next() -> TraceLink? {
        turnsLeft > 0 ? TraceLink(context.child(), turnsLeft: turnsLeft - 1) : nil
    }

    /// The span, as events of streams have it.
    var field: ArraySlice<UInt8> { Array(context.traceparent.utf8)[...] }

    /// The stored form: the value of `Traceparent`, the number of turns and, after a space, the value of `Tracestate`.
    var text: String { "\(context.traceparent) \(turnsLeft) \(context.state)" }

    /// The stored form as JSON, which older builds expect of an answer.
    var json: ArraySlice<UInt8> {
        var json: [UInt8] = []
        JSONWriter.append(text, to: &json)
        return json[...]
    }

    /// Reads the stored form as JSON; nil if it is invalid.
    init?(json: ArraySlice<UInt8>) {
        let bytes = Array(json)
        guard let range = try? JSONScanner.document(bytes, nestingLimit: 1),
            let text = JSONValue(bytes: bytes, range: range).string
        else { return nil }
        self.init(text)
    }

    /// Reads the stored form, which somebody else may have written; nil if it is invalid.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let turnsLeft = Int(parts[1]), 0...TraceLink.maxTurns ~= turnsLeft else { return nil }
        var value = String(parts[0])
        guard let parent = value.withUTF8({ TraceParent(UnsafeRawBufferPointer($0)) }) else { return nil }
        let state = TraceState.text(of: String(parts[2]))
        self.init(
            TraceContext(traceID: parent.traceID, spanID: parent.spanID, state: state), turnsLeft: turnsLeft)
    }
}
