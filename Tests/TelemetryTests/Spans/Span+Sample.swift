import HTTPModel
import Telemetry

extension Span {
    /// A span with a number.
    static func sample(_ number: UInt64 = 1) -> Span {
        Span(
            "turn", .internal, TraceContext(traceID: 1, spanID: number), parentID: nil, from: number, to: number + 1)
    }
}
