import HTTPModel
import Locking
import Log
import MachineHost
import MachineTesting
import Telemetry
import Testing

@testable import Granary

struct RequestMeterTests {
    private let loop = VirtualEventLoop()
    private let cells: MetricCells
    private let meter: RequestMeter
    private let request = HTTPRequest(method: .get, target: "/v1/machines?secret")

    init() {
        let loop = loop
        cells = MetricCells { loop.now.nanoseconds + 40_000 }
        meter = RequestMeter(in: cells, on: loop, accessLog: nil)
    }

    private func measure(_ request: HTTPRequest, _ status: HTTPStatus, at resource: RoutedResource? = nil) {
        let answer = HTTPAnswer.response(HTTPResponse(status: status))
        meter.count(answer, to: request, at: resource, since: meter.start)
    }

    private func text() -> String { MetricsFormat.prometheus.text(of: cells.snapshot) }

    @Test func `responses are counted by route, method and class of status`() {
        for status in [200, 204, 404] as [UInt16] {
            measure(request, HTTPStatus(status))
        }
        let series = "granary_http_requests_total{route=\"/v1/machines\",method=\"GET\",status="
        #expect(text().contains("\(series)\"2xx\"} 2\n"))
        #expect(text().contains("\(series)\"4xx\"} 1\n"))
        #expect(text().contains("granary_http_request_duration_seconds_count{route=\"/v1/machines\"} 3\n"))
    }

    @Test func `a promised response is counted when it is there`() {
        let promise = DeferredResponse()
        meter.count(.deferred(promise), to: request, at: nil, since: meter.start)
        #expect(!text().contains("granary_http_requests_total{"))
        promise.fulfil(HTTPResponse(status: .created))
        #expect(text().contains("status=\"2xx\"} 1\n"))
        #expect(promise.takeIfFulfilled()?.status == .created)
    }

    @Test func `the resource that the host has found is the route`() {
        measure(request, .ok, at: .session)
        #expect(text().contains("{route=\"/v1/sessions/{id}\",method=\"GET\",status=\"2xx\"} 1\n"))
    }

    @Test func `a request begins with the round of its loop`() {
        let start = meter.start
        loop.advance(by: .milliseconds(2))
        meter.count(.response(HTTPResponse(status: .ok)), to: request, at: nil, since: start)
        let series = "granary_http_request_duration_seconds_bucket{route=\"/v1/machines\",le="
        #expect(text().contains("\(series)\"0.001\"} 0\n"))
        #expect(text().contains("\(series)\"0.0025\"} 1\n"))
    }

    @Test func `methods and paths of clients add no series`() {
        for index in 0..<100 {
            var request = HTTPRequest(method: HTTPMethod(rawValue: "M\(index)"), target: "/\(index)")
            measure(request, .notFound)
            request.target = "/v1/sessions/\(index)"
            measure(request, .notFound)
        }
        let series = text().split(separator: "\n").filter { $0.hasPrefix("granary_http_requests_total{") }
        #expect(series.count == 2)
        #expect(series.allSatisfy { $0.hasSuffix("method=\"other\",status=\"4xx\"} 100") })
    }
}

struct AccessLogTests {
    private let lines = Lock<[LogEvent]>([])

    private func write(_ count: Int, at time: UInt64, in log: AccessLog) {
        let id = "AAAAAAAAAAAAAAAAAAAAAA"
        let request = HTTPRequest(
            method: .post, target: "/v1/sessions/\(id)/inputs/secret?token=secret",
            fields: [.authorization: "Bearer secret"], body: Array("secret".utf8))
        for _ in 0..<count {
            log.write(
                request, RequestRoute(target: request.target),
                HTTPResponse(status: .ok, body: .bytes(Array("secret".utf8))), nanoseconds: 1_234_567, now: time)
        }
    }

    private func makeLog(rate: Int) -> AccessLog {
        AccessLog(log: Log(level: .info) { [lines] event in lines.withLock { $0.append(event) } }, rate: rate)
    }

    @Test func `a line has the route and no part of the request`() throws {
        write(1, at: 0, in: makeLog(rate: 10))
        let line = LogFormat.json.line(of: try #require(lines.withLock { $0.first }), at: .now)
        #expect(!line.contains("secret"))
        #expect(!line.contains("AAAA"))
        let expected =
            "\"message\":\"request\",\"method\":\"POST\",\"route\":\"/v1/sessions/{id}/inputs/{input}\",\"status\":200,"
            + "\"microseconds\":1234,\"received\":6,\"sent\":6,\"session\":\""
        #expect(line.contains(expected))
    }

    @Test func `lines beyond the rate are counted in the next one`() {
        let log = makeLog(rate: 3)
        write(8, at: 1, in: log)
        #expect(lines.withLock { $0.count } == 3)
        write(2, at: 1_000_000_001, in: log)
        let suppressed = lines.withLock { $0.map { $0.fields.first { $0.name == "suppressed" }?.value } }
        #expect(suppressed == [nil, nil, nil, .number(5), nil])
    }
}
