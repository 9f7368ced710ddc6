import Foundation
import HTTPModel
import HTTPServerTesting
import Locking
import Log
import Telemetry
import Testing

@testable import Granary

/// Traces over sockets, with a collector.
@Suite struct TracedServerTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "b7ad6b7169203331"

    private let directory = "/tmp/granary-traced-\(UUID().uuidString)"
    private let service = TracedServer.Service()

    private func server(
        _ collector: CollectorStandIn, _ configure: (inout Configuration) -> Void = { _ in }
    ) async throws -> TracedServer {
        try await TracedServer(service, in: directory) { configuration in
            configuration.traces.endpoint = collector.endpoint
            configuration.traces.ratio = 0
            configuration.traces.followsParents = true
            configure(&configuration)
        }
    }

    private func field(isSampled: Bool = true) -> String {
        "Traceparent: 00-\(TracedServerTests.trace)-\(TracedServerTests.parent)-0\(isSampled ? 1 : 0)"
    }

    @Test func `a trace can be followed from a request to the change, through a restart`() async throws {
        let collector = try CollectorStandIn()
        let first = try await server(collector)
        let session = try first.makeSession()
        let sent = try first.send(
            "POST", session + "/inputs/ask", fields: [field(), "Tracestate: rojo=1", "Content-Length: 0"])
        #expect(sent.status == 200)
        #expect(await eventually { service.attempts == [1] })
        await first.stop()
        let second = try await server(collector)
        let stream = try second.connect()
        defer { stream.close() }
        try stream.send("GET \(session)/outputs HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        #expect(await eventually { service.attempts == [1, 2] })
        service.answer("found")
        var text = ""
        try stream.receive(
            until: { bytes in
                text = String(decoding: bytes, as: UTF8.self)
                return text.contains("\"answer\":\"found\"")
            }, what: "the change")
        await second.stop()
        #expect(collector.problems.isEmpty)
        #expect(collector.spans.allSatisfy { $0.trace == TracedServerTests.trace })

        let request = try only(collector, "POST /v1/sessions/{id}/inputs/{input}")
        #expect(request.parent == TracedServerTests.parent)
        #expect(request.attributes["http.response.status_code"] == "200")
        let turns = collector.spans(named: "turn")
        try #require(turns.count == 2)
        #expect(turns[0].parent == request.id && turns[0].attributes["granary.cause"] == "ask")
        let effect = try only(collector, "effect")
        #expect(effect.parent == turns[0].id && effect.attributes["granary.attempt"] == "2")
        #expect(service.traces.compactMap { $0?.traceIDText } == [TracedServerTests.trace, TracedServerTests.trace])
        #expect(service.traces.last??.spanIDText == effect.id && service.traces.last??.state == "rojo=1")
        #expect(turns[1].parent == effect.id)
        #expect(collector.spans(named: "journal commit").map(\.parent) == turns.map(\.id))
        #expect(collector.spans(named: "change").map(\.parent) == turns.map(\.id))
        #expect(text.contains("\ntraceparent: 00-\(TracedServerTests.trace)-\(turns[1].id)-01\n"))
        await collector.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func only(_ collector: CollectorStandIn, _ name: String) throws -> CollectorStandIn.Span {
        let found = collector.spans(named: name)
        try #require(found.count == 1, "\(name): \(collector.spans.map(\.name))")
        return found[0]
    }

    @Test func `a parent that is not sampled, or is invalid, causes no spans`() async throws {
        let collector = try CollectorStandIn()
        let server = try await server(collector)
        let session = try server.makeSession()
        for field in [field(isSampled: false), field().uppercased(), "Traceparent: 00", "X: y"] {
            #expect(try server.send("GET", session, fields: [field]).status == 200)
        }
        #expect(try server.send("GET", session, fields: [field(), field()]).status == 200)
        await server.stop()
        #expect(collector.spans.isEmpty && collector.problems.isEmpty)
        await collector.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    @Test func `clients decide nothing unless parents are followed`() async throws {
        let collector = try CollectorStandIn()
        let server = try await server(collector) { $0.traces.followsParents = false }
        let session = try server.makeSession()
        #expect(try server.send("GET", session, fields: [field()]).status == 200)
        await server.stop()
        #expect(collector.spans.isEmpty)
        await collector.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    @Test func `the fields of the configuration are sent, and what the collector refuses is counted`() async throws {
        let collector = try CollectorStandIn(status: .serviceUnavailable)
        let lines = LogLines()
        var traces = Configuration.Traces()
        traces.endpoint = collector.endpoint
        traces.headers = Secret("Authorization=Bearer x=y, X-Scope = a")
        let exporter = try #require(try TraceExport(traces)).makeExporter(log: lines.log)
        exporter.record(Span("turn", .internal, .root(), parentID: nil, from: 1, to: 2))
        await exporter.finish(within: .seconds(300))
        #expect(collector.problems.isEmpty)
        #expect(collector.fields.first?.value(.authorization) == "Bearer x=y")
        #expect(collector.fields.first?.values("x-scope") == ["a"])
        var snapshot = MetricSnapshot()
        exporter.addMetrics(to: &snapshot)
        let metrics = MetricsFormat.prometheus.text(of: snapshot)
        #expect(metrics.contains("granary_spans_dropped_total{reason=\"refused\"} 1\n"))
        #expect(metrics.contains("granary_spans_exported_total 0\n"))
        await collector.stop()
    }

    @Test func `a collector that is away costs nothing but the spans`() async throws {
        let port = try HTTPTestHeldPort()
        var traces = Configuration.Traces()
        traces.endpoint = "http://127.0.0.1:\(port.number)/v1/traces"
        let exporter = try #require(try TraceExport(traces)).makeExporter(log: .silent)
        exporter.record(Span("turn", .internal, .root(), parentID: nil, from: 1, to: 2))
        await exporter.finish(within: .seconds(300))
        var snapshot = MetricSnapshot()
        exporter.addMetrics(to: &snapshot)
        #expect(
            MetricsFormat.prometheus.text(of: snapshot).contains(
                "granary_spans_dropped_total{reason=\"refused\"} 1\n"))
        withExtendedLifetime(port) {}
    }
}
