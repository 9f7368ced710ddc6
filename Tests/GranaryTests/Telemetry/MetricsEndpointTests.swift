import HTTPModel
import Locking
import MachineTesting
import Telemetry
import Testing

@testable import Granary

struct MetricsEndpointTests {
    private let loop = VirtualEventLoop()
    private let request = HTTPRequest(
        method: .get, target: "/metrics", peer: HTTPPeer(address: "127.0.0.1", port: 1, role: .admin))

    private func response(_ answer: HTTPAnswer) -> HTTPResponse? {
        switch answer {
        case .response(let response): response
        case .deferred(let promise): promise.takeIfFulfilled()
        }
    }

    private func text(_ response: HTTPResponse?) -> String {
        String(decoding: response?.body.bytes ?? [], as: UTF8.self)
    }

    @Test func `a response has the values of all sources`() {
        let registry = MetricsRegistry()
        registry.makeCells("loop 0", execute: loop.execute).counter(.counter("test_things", "Things.")).add(4)
        let answer = MetricsEndpoint(registry, on: loop).response(to: request)
        loop.run()
        let response = response(answer)
        #expect(response?.status == .ok)
        #expect(response?.fields.value(.contentType) == "text/plain; version=0.0.4; charset=utf-8")
        #expect(text(response).contains("\ntest_things_total 4\n"))
        #expect(text(response).contains("granary_source_responsive{source=\"loop 0\"} 1\n"))
    }

    @Test func `a stuck source delays a response by a second`() {
        let registry = MetricsRegistry()
        registry.add("stuck") { _ in }
        let answer = MetricsEndpoint(registry, on: loop).response(to: request)
        loop.advance(by: .milliseconds(900))
        guard case .deferred(let promise) = answer else {
            Issue.record("expected a promise")
            return
        }
        #expect(promise.takeIfFulfilled() == nil)
        loop.advance(by: .milliseconds(200))
        #expect(text(promise.takeIfFulfilled()).contains("granary_source_responsive{source=\"stuck\"} 0\n"))
    }

    @Test func `requests in parallel share one collection`() {
        let registry = MetricsRegistry()
        let collections = Lock(0)
        registry.add("x") { [loop] report in
            collections.withLock { $0 += 1 }
            loop.execute { report(MetricSnapshot()) }
        }
        let endpoint = MetricsEndpoint(registry, on: loop)
        let answers = (0..<50).map { _ in endpoint.response(to: request) }
        loop.run()
        #expect(answers.allSatisfy { response($0)?.status == .ok })
        #expect(collections.withLock { $0 } == 1)
        let later = endpoint.response(to: request)
        loop.run()
        #expect(response(later)?.status == .ok)
        #expect(collections.withLock { $0 } == 2)
    }

    @Test func `values that arrive late do not count for the next request`() {
        let registry = MetricsRegistry()
        let reports = Lock<[@Sendable (MetricSnapshot) -> Void]>([])
        registry.add("late") { report in reports.withLock { $0.append(report) } }
        let endpoint = MetricsEndpoint(registry, on: loop)
        _ = endpoint.response(to: request)
        loop.advance(by: .seconds(2))
        let second = endpoint.response(to: request)
        reports.withLock { $0[0] }(MetricSnapshot())
        loop.run()
        guard case .deferred(let promise) = second else {
            Issue.record("expected a promise")
            return
        }
        #expect(promise.takeIfFulfilled() == nil)
        reports.withLock { $0[1] }(MetricSnapshot())
        loop.run()
        #expect(promise.takeIfFulfilled()?.status == .ok)
    }

    @Test func `other methods are refused`() {
        var request = request
        request.method = .post
        let response = response(MetricsEndpoint(MetricsRegistry(), on: loop).response(to: request))
        #expect(response?.status == .methodNotAllowed)
        #expect(response?.fields.value(.allow) == "GET, HEAD")
        #expect(text(response).contains("Expected one of GET, HEAD, got POST."))
    }

    @Test func `only admin listeners serve metrics, and only if they are on`() {
        final class Next: HTTPResponder {
            func respond(to request: HTTPRequest) -> HTTPAnswer { .response(HTTPResponse(status: .accepted)) }
        }
        let registry = MetricsRegistry()
        registry.add("x") { $0(MetricSnapshot()) }
        func status(_ target: String, _ role: ListenerRole, metrics: Bool = true) -> UInt16? {
            let responder = SiteResponder(
                site: Site(), next: Next(), metrics: metrics ? MetricsEndpoint(registry, on: loop) : nil)
            var request = request
            (request.target, request.peer) = (
                target, HTTPPeer(address: "127.0.0.1", port: 1, role: role, isListenerLocal: true)
            )
            let answer = responder.respond(to: request)
            loop.run()
            return response(answer)?.status.code
        }
        #expect(status("/metrics", .admin) == 200)
        #expect(status("/metrics?x", .admin) == 200)
        #expect(status("/metrics/", .admin) == 404)
        #expect(status("/metrics", .admin, metrics: false) == 404)
        // The next responder, which has no such path, decides.
        #expect(status("/metrics", .public) == 202)
    }
}
