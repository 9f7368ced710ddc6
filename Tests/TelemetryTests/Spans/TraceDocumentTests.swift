import HTTPModel
import JSONText
import Telemetry
import Testing

struct TraceDocumentTests {
    private let document = TraceDocument(service: "granary \"test\"", version: "1.2")

    private func text(_ spans: [Span]) -> String { String(decoding: document.json(of: spans), as: UTF8.self) }

    @Test func `a document has the resource, the scope and the spans in the JSON form of OTLP`() {
        let context = TraceContext(traceID: 0x5b8e_fff7_9803_8103_d269_b633_813f_c60c, spanID: 0xeee1_9b7e_c3c1_b174)
        let span = Span(
            "GET /v1/sessions/{id}", .server, context, parentID: 0xeee1_9b7e_c3c1_b173, from: 1_544_712_660_000_000_000,
            to: 1_544_712_661_000_000_000,
            [
                Span.Attribute("http.route", "/v1/sessions/{id}"),
                Span.Attribute("http.response.status_code", .number(200)),
            ])
        #expect(
            text([span])
                == #"{"resourceSpans":[{"resource":{"attributes":["#
                + #"{"key":"service.name","value":{"stringValue":"granary \"test\""}},"#
                + #"{"key":"service.version","value":{"stringValue":"1.2"}}]},"#
                + #""scopeSpans":[{"scope":{"name":"granary"},"spans":[{"#
                + #""traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","#
                + #""parentSpanId":"eee19b7ec3c1b173","name":"GET /v1/sessions/{id}","flags":1,"kind":2,"#
                + #""startTimeUnixNano":"1544712660000000000","endTimeUnixNano":"1544712661000000000","attributes":["#
                + #"{"key":"http.route","value":{"stringValue":"/v1/sessions/{id}"}},"#
                + #"{"key":"http.response.status_code","value":{"intValue":"200"}}]}]}]}]}"#)
    }

    @Test func `a root has no parent, a failure has a status, and the state of the trace is included`() {
        let context = TraceContext(traceID: 1, spanID: 2, state: "rojo=1")
        let span = Span("turn", .internal, context, parentID: nil, from: 5, to: 4, failure: "incident \"x\"")
        #expect(
            text([span]).contains(
                #"{"traceId":"00000000000000000000000000000001","spanId":"0000000000000002","traceState":"rojo=1","#
                    + #""name":"turn","flags":1,"kind":1,"startTimeUnixNano":"5","endTimeUnixNano":"5","attributes":[],"#
                    + #""status":{"code":2,"message":"incident \"x\""}}"#))
    }

    @Test func `the kinds have the numbers of the protocol`() {
        #expect([Span.Kind.internal, .server, .client, .producer].map(\.rawValue) == [1, 2, 3, 4])
    }

    @Test func `any number of spans is valid JSON`() throws {
        for count in 0..<4 {
            let spans = (0..<count).map { Span.sample(UInt64($0) + 1) }
            let json = document.json(of: spans)
            let range = try JSONScanner.document(json, nestingLimit: 32)
            let resources = JSONValue(bytes: json, range: range).member("resourceSpans")?.elements
            let scopes = resources?.first?.member("scopeSpans")?.elements
            #expect(scopes?.first?.member("spans")?.elements?.count == count)
        }
    }
}
