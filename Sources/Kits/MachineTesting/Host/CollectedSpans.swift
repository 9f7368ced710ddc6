import Locking
package import Telemetry

/// Keeps the spans of a test. Its time advances by a microsecond whenever it is read.
package final class CollectedSpans: SpanReceiver {
    private let state = Lock<(time: UInt64, spans: [Span])>((1_767_225_600_000_000_000, []))

    package init() {}

    /// The time, in nanoseconds of Unix time.
    package var now: UInt64 {
        state.withLock { state in
            state.time += 1000
            return state.time
        }
    }

    package func record(_ span: Span) { state.withLock { $0.spans.append(span) } }

    /// The spans in the order in which they ended.
    package var all: [Span] { state.withLock { $0.spans } }

    /// The names of the spans, in the order in which they ended.
    package var names: [String] { all.map(\.name) }

    /// Returns the spans with a name, in the order in which they ended.
    package func spans(named name: String) -> [Span] { all.filter { $0.name == name } }
}
