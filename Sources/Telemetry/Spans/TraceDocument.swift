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
        json.append(text: "{\"resourceSpans\":[{\"resource\":{\"attributes\":")
        append(
            [Span.Attribute("service.name", .text(service)), Span.Attribute("service.version", .text(version))],
            to: &json)
        json.append(text: "},\"scopeSpans\":[{\"scope\":{\"name\":\"granary\"},\"spans\":[")
        for (index, span) in spans.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            append(span, to: &json)
        }
        json.append(text: "]}]}]}")
        return json
    }

    private func append(_ span: Span, to json: inout [UInt8]) {
        json.append(text: "{\"traceId\":\"\(span.context.traceIDText)\",\"spanId\":\"\(span.context.spanIDText)\"")
        if let parentID = span.parentID {
            json.append(text: ",\"parentSpanId\":\"\(TraceContext.digits(parentID))\"")
        }
        if !span.context.state.isEmpty { append("traceState", span.context.state, to: &json) }
        append("name", span.name, to: &json)
        // The lowest bit is the flag of a sampled trace.
        json.append(text: ",\"flags\":1,\"kind\":\(span.kind.rawValue)")
        json.append(
            text: ",\"startTimeUnixNano\":\"\(span.start)\",\"endTimeUnixNano\":\"\(span.end)\",\"attributes\":")
        append(span.attributes, to: &json)
        if let failure = span.failure {
            json.append(text: ",\"status\":{\"code\":\(TraceDocument.errorStatus)")
            append("message", failure, to: &json)
            json.append(UInt8(ascii: "}"))
        }
        json.append(UInt8(ascii: "}"))
    }

    private func append(_ attributes: [Span.Attribute], to json: inout [UInt8]) {
        json.append(UInt8(ascii: "["))
        for (index, attribute) in attributes.enumerated() {
            json.append(text: index > 0 ? ",{\"key\":" : "{\"key\":")
            JSONWriter.append(attribute.name, to: &json)
            json.append(text: ",\"value\":{")
            switch attribute.value {
            case .text(let text):
                json.append(text: "\"stringValue\":")
                JSONWriter.append(text, to: &json)
            case .number(let number): json.append(text: "\"intValue\":\"\(number)\"")
            }
            json.append(text: "}}")
        }
        json.append(UInt8(ascii: "]"))
    }

    private func append(_ name: String, _ text: String, to json: inout [UInt8]) {
        json.append(text: ",\"\(name)\":")
        JSONWriter.append(text, to: &json)
    }
}

extension [UInt8] {
    fileprivate mutating func append(text: String) { append(contentsOf: text.utf8) }
}
