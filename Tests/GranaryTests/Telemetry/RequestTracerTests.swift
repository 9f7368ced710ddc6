import HTTPModel
import HTTPServer
import Locking
import Log
import MachineTesting
import Telemetry
import Testing

@testable import Granary

struct RequestTracerTests {
    private let spans = CollectedSpans()
    private let loop = VirtualEventLoop()
    private let cells: MetricCells
    private let sampled: HTTPFields = [
        .traceparent: "00-00000000000000000000000000000abc-000000000000000d-01", .tracestate: "rojo=1",
    ]
    private let unsampled: HTTPFields = [
        .traceparent: "00-00000000000000000000000000000abc-000000000000000d-00"
    ]

    init() {
        let loop = loop
        cells = MetricCells { loop.now.nanoseconds }
    }

    private func tracer(
        ratio: Double = 0, followsParents: Bool = true, rate: Int = 1_000_000, loops: Int = 1
    ) -> RequestTracer {
        var traces = Configuration.Traces()
        (traces.ratio, traces.followsParents, traces.rate) = (ratio, followsParents, rate)
        return RequestTracer(spans, traces, loops: loops, in: cells, seed: 7)
    }

    private func request(_ fields: HTTPFields = HTTPFields(), role: ListenerRole = .public) -> HTTPRequest {
        HTTPRequest(
            method: .get, target: "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA?x=secret", fields: fields,
            peer: HTTPPeer(address: "192.0.2.1", port: 1, role: role))
    }

    /// Returns how many of a number of requests are sampled.
    private func count(_ tracer: RequestTracer, _ requests: Int, _ fields: HTTPFields = HTTPFields()) -> Int {
        (0..<requests).count { _ in tracer.sample(request(fields)) != nil }
    }

    @Test(arguments: [(0.0, 0...0), (0.01, 60...140), (0.5, 4700...5300), (1.0, 10_000...10_000)])
    func `the ratio decides for requests without a parent`(_ ratio: Double, _ expected: ClosedRange<Int>) {
        #expect(expected.contains(count(tracer(ratio: ratio), 10_000)))
    }

    @Test func `a parent decides if parents are followed`() {
        #expect(count(tracer(ratio: 0), 10, sampled) == 10)
        #expect(count(tracer(ratio: 1), 10, unsampled) == 0)
        #expect(count(tracer(ratio: 0, followsParents: false), 10, sampled) == 0)
        #expect(count(tracer(ratio: 1, followsParents: false), 10, unsampled) == 10)
    }

    @Test func `a sampled request continues the trace of its parent, whoever decides`() throws {
        for followsParents in [true, false] {
            let trace = try #require(tracer(ratio: 1, followsParents: followsParents).sample(request(sampled)))
            #expect(trace.context.traceID == 0xABC && trace.context.state == "rojo=1")
            #expect(trace.parentID == 0xD && trace.context.spanID != 0xD)
        }
        let root = try #require(tracer(ratio: 1).sample(request()))
        #expect(root.parentID == nil && root.context.traceID != 0 && root.context.state.isEmpty)
    }

    @Test func `an invalid parent and its state are ignored`() throws {
        let fields: HTTPFields = [.traceparent: "00-0-0-01", .tracestate: "rojo=1"]
        #expect(tracer(ratio: 0).sample(request(fields)) == nil)
        let trace = try #require(tracer(ratio: 1).sample(request(fields)))
        #expect(trace.parentID == nil && trace.context.state.isEmpty)
    }

    @Test func `clients cannot exceed the rate, which loops share`() {
        let tracer = tracer(rate: 10, loops: 2)
        #expect(count(tracer, 100, sampled) == 5)
        loop.advance(by: .milliseconds(999))
        #expect(count(tracer, 100, sampled) == 0)
        loop.advance(by: .milliseconds(1))
        #expect(count(tracer, 100, sampled) == 5)
        #expect(MetricsFormat.prometheus.text(of: cells.snapshot).contains("granary_traces_limited_total 290\n"))
    }

    @Test func `requests of operators and probes on their listeners are not traced`() {
        #expect(tracer(ratio: 1).sample(request(role: .admin)) == nil)
    }

    @Test func `the span has the template of the route and no value of the client`() throws {
        let tracer = tracer(ratio: 1)
        let sent = request(sampled)
        let trace = try #require(tracer.sample(sent))
        let promise = DeferredResponse()
        tracer.record(.deferred(promise), to: sent, in: trace)
        #expect(spans.all.isEmpty)
        promise.fulfil(HTTPResponse(status: .serviceUnavailable))
        #expect(promise.takeIfFulfilled()?.status == .serviceUnavailable)
        let span = try #require(spans.all.first)
        #expect(span.name == "GET /v1/sessions/{id}" && span.kind == .server && span.failure == "status 503")
        #expect(span.context == trace.context && span.parentID == 0xD && span.start == trace.start)
        #expect(span.attributes.contains(Span.Attribute("http.response.status_code", .number(503))))
        #expect(!"\(span)".contains("secret") && !"\(span)".contains("AAAA"))
    }

    @Test func `the responder passes the span on, and the access log has it`() throws {
        final class Next: HTTPResponder {
            var traces: [TraceContext?] = []

            func respond(to request: HTTPRequest) -> HTTPAnswer {
                traces.append(request.trace)
                return .response(HTTPResponse(status: .ok))
            }
        }
        let next = Next()
        let lines = Lock<[LogEvent]>([])
        let log = Log(level: .info) { event in lines.withLock { $0.append(event) } }
        let meter = RequestMeter(in: cells, on: loop, accessLog: AccessLog(log: log, rate: 10))
        let responder = SiteResponder(site: Site(), next: next, meter: meter, tracer: tracer())
        _ = responder.respond(to: request(sampled))
        _ = responder.respond(to: request())
        let span = try #require(spans.all.first)
        #expect(next.traces == [span.context, nil] && spans.all.count == 1)
        let fields = lines.withLock { $0.map(\.fields) }
        #expect(fields[0].contains { $0.name == "trace" && $0.value == .text(span.context.traceIDText) })
        #expect(!fields[1].contains { $0.name == "trace" })
    }
}

struct TraceExportTests {
    private func problem(_ configure: (inout Configuration.Traces) -> Void) -> String? {
        var traces = Configuration.Traces()
        traces.endpoint = "http://localhost:4318/v1/traces"
        configure(&traces)
        do {
            _ = try TraceExport(traces)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `nothing is exported by default`() throws {
        #expect(try TraceExport(Configuration.Traces()) == nil)
        #expect(problem { _ in } == nil)
    }

    @Test func `an invalid configuration is a problem that reveals no field`() {
        #expect(problem { $0.endpoint = "http://" }?.hasPrefix("traces.endpoint: ") == true)
        for headers in ["secret", "sec ret=1", "a=1,secret", "=secret", "a=se\ncret"] {
            let text = problem { $0.headers = Secret(headers) }
            #expect(text?.hasPrefix("traces.headers: ") == true && text?.contains("cret") == false, "\(headers)")
        }
        #expect(problem { $0.headers = Secret("Authorization=Bearer x=y,X-Scope=1") } == nil)
    }

    @Test func `check-config reports the problem`() {
        var configuration = Configuration()
        configuration.server.port = 0
        configuration.traces.endpoint = "http://localhost:4318/v1/traces"
        configuration.traces.headers = Secret("secret")
        #expect(ServerPreparation.problems(configuration) { [] }.contains { $0.hasPrefix("traces.headers: ") })
    }
}
