/// A span of a distributed trace, for what it causes elsewhere (W3C Trace Context, level 1).
///
/// The server creates one for each request that it samples. Other requests have none, and pay nothing for it.
public struct TraceContext: Hashable, Sendable {
    /// The span of the turn or the effect for which the current task, or the caller of the closure, runs; nil if it belongs to no sampled
    /// trace.
    ///
    /// A client of another service sends ``traceparent`` and, if it is not empty, ``state`` with its requests.
    @TaskLocal public static var current: TraceContext?

    /// The trace, which all its spans have in common. Never zero.
    public let traceID: UInt128
    /// The span. Never zero.
    public let spanID: UInt64
    /// The value of `Tracestate` that belongs to the trace; empty if none exists.
    public let state: String

    /// Creates the context of a span.
    public init(traceID: UInt128, spanID: UInt64, state: String = "") {
        (self.traceID, self.spanID, self.state) = (traceID, spanID, state)
    }

    /// Returns the context of a new span that belongs to no trace yet.
    package static func root() -> TraceContext {
        TraceContext(traceID: .random(in: 1 ... .max), spanID: .random(in: 1 ... .max))
    }

    /// Returns the context of a new span of the same trace.
    package func child() -> TraceContext {
        TraceContext(traceID: traceID, spanID: .random(in: 1 ... .max), state: state)
    }

    /// The value of the field `Traceparent`.
    public var traceparent: String { "00-\(traceIDText)-\(spanIDText)-01" }

    /// The trace as 32 hexadecimal digits.
    public var traceIDText: String {
        Hexadecimal.text(of: UInt64(truncatingIfNeeded: traceID >> 64))
            + Hexadecimal.text(of: UInt64(truncatingIfNeeded: traceID))
    }

    /// The span as 16 hexadecimal digits.
    public var spanIDText: String { Hexadecimal.text(of: spanID) }
}
