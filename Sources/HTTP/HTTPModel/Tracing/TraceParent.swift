/// The value of a `Traceparent` field: the span of another service that has caused a request (W3C Trace Context, level 1, §3.2).
package struct TraceParent: Hashable, Sendable {
    /// The trace.
    package let traceID: UInt128
    /// The span of the other service.
    package let spanID: UInt64
    /// Whether the other service has sampled the trace.
    package let isSampled: Bool

    /// The length of a value of version 00.
    private static let count = 55

    /// Reads a value; nil if it is invalid, so that the request begins a trace of its own.
    ///
    /// Fields that a later version appends are ignored.
    package init?(_ value: UnsafeRawBufferPointer) {
        let dash = UInt8(ascii: "-")
        guard value.count >= TraceParent.count, value[2] == dash, value[35] == dash, value[52] == dash,
            let version = TraceParent.number(value[0..<2]), version != 0xFF,
            value.count == TraceParent.count || version > 0 && value[TraceParent.count] == dash,
            let high = TraceParent.number(value[3..<19]), let low = TraceParent.number(value[19..<35]),
            let spanID = TraceParent.number(value[36..<52]), let flags = TraceParent.number(value[53..<55]),
            high | low != 0, spanID != 0
        else { return nil }
        traceID = UInt128(high) << 64 | UInt128(low)
        self.spanID = spanID
        isSampled = flags & 1 != 0
    }

    /// Reads the value of a request; nil if it has none, an invalid one or several.
    package init?(of fields: HTTPFields) {
        guard let parent = fields.withValue(.traceparent, { TraceParent($0) }) ?? nil,
            fields.count(of: .traceparent) == 1
        else { return nil }
        self = parent
    }

    /// Reads hexadecimal digits in lower case, the only case that is valid.
    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}
