import HTTPModel
import JSONText

/// Writes spans as an `ExportTraceServiceRequest` in the JSON form of OTLP 1.x: ids as hexadecimal digits, integers of 64 bits as
/// strings, enumerations as numbers.
public struct TraceDocument: Sendable {
    /// The name of the service, `service.name`.
    public let service: String
    /// The version of the service, `service.version`.
    public let version: String

    /// The number that OTLP has for a status of an error.
    private static let errorStatus: UInt64 = 2

    /// Creates a writer for a service.
    public init(service: String, version: String) {
        (self.service, self.version) = (service, version)
    }

    /// Returns the JSON of spans.
    public func json(of spans: [Span]) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(512 + 512 * spans.count)
        json.append("{\"resourceSpans\":[{\"resource\":{\"attributes\":")
        append(
            [Span.Attribute("service.name", .text(service)), Span.Attribute("service.version", .text(version))],
            to: &json)
        json.append("},\"scopeSpans\":[{\"scope\":{\"name\":\"granary\"},\"spans\":[")
        for (index, span) in spans.enumerated() {
            if index > 0 { json.append(",") }
            append(span, to: &json)
        }
        json.append("]}]}]}")
        return json
    }

    // Without intermediate texts: a span has about fifteen, and most of the cost of a sampled request was in them.
    private func append(_ span: Span, to json: inout [UInt8]) {
        json.append("{\"traceId\":\"")
        Hexadecimal.append(UInt64(truncatingIfNeeded: span.context.traceID >> 64), to: &json)
        Hexadecimal.append(UInt64(truncatingIfNeeded: span.context.traceID), to: &json)
        json.append("\",\"spanId\":\"")
        Hexadecimal.append(span.context.spanID, to: &json)
        if let parentID = span.parentID {
            json.append("\",\"parentSpanId\":\"")
            Hexadecimal.append(parentID, to: &json)
        }
        json.append("\"")
        if !span.context.state.isEmpty {
            json.append(",\"traceState\":")
            JSONWriter.append(span.context.state, to: &json)
        }
        json.append(",\"name\":")
        JSONWriter.append(span.name, to: &json)
        // The lowest bit is the flag of a sampled trace.
        json.append(",\"flags\":1,\"kind\":")
        JSONWriter.append(span.kind.rawValue, to: &json)
        json.append(",\"startTimeUnixNano\":\"")
        JSONWriter.append(span.start, to: &json)
        json.append("\",\"endTimeUnixNano\":\"")
        JSONWriter.append(span.end, to: &json)
        json.append("\",\"attributes\":")
        append(span.attributes, to: &json)
        if let failure = span.failure {
            json.append(",\"status\":{\"code\":")
            JSONWriter.append(TraceDocument.errorStatus, to: &json)
            json.append(",\"message\":")
            JSONWriter.append(failure, to: &json)
            json.append("}")
        }
        json.append("}")
    }

    private func append(_ attributes: [Span.Attribute], to json: inout [UInt8]) {
        json.append("[")
        var isFirst = true
        for attribute in attributes {
            json.append(isFirst ? "{\"key\":" : ",{\"key\":")
            isFirst = false
            JSONWriter.append(attribute.name, to: &json)
            switch attribute.value {
            case .text(let text):
                json.append(",\"value\":{\"stringValue\":")
                JSONWriter.append(text, to: &json)
                json.append("}}")
            case .number(let number):
                json.append(number < 0 ? ",\"value\":{\"intValue\":\"-" : ",\"value\":{\"intValue\":\"")
                // The magnitude of the least number is not a value of its type.
                JSONWriter.append(number.magnitude, to: &json)
                json.append("\"}}")
            }
        }
        json.append("]")
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
