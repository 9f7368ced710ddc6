import HTTPModel
import Locking
import Telemetry

/// Responds to `GET /metrics` on the listeners for operators. One per loop, confined to it.
///
/// Requests that arrive while values are collected share the result, so that many scrapers cost as much as one.
final class MetricsEndpoint {
    /// The time that a loop has to return its values. Scrapers wait ten seconds by default.
    static let patience = Duration.seconds(1)

    private let registry: MetricsRegistry
    private let loop: any EventLoop
    private var waiting: [(promise: DeferredResponse, format: MetricsFormat)] = []
    private var missing: Set<String> = []
    private var collection = 0
    private var timer: (any EventLoopTimer)?

    init(_ registry: MetricsRegistry, on loop: any EventLoop) {
        (self.registry, self.loop) = (registry, loop)
    }

    /// Returns the promise of the metrics, or 405 for a method that reads nothing.
    func response(to request: HTTPRequest) -> HTTPAnswer {
        guard request.method == .get || request.method == .head else {
            return .response(ProblemDetails.methodNotAllowed(request.method, allow: "GET, HEAD").response)
        }
        let promise = DeferredResponse()
        waiting.append((promise, MetricsFormat(accept: request.fields.value(.accept))))
        if waiting.count == 1 { collect() }
        return .deferred(promise)
    }

    private func collect() {
        collection += 1
        let reference = UnsafeTransfer(self)
        missing = registry.collect { [loop, collection] name in
            loop.execute { reference.value.arrived(name, in: collection) }
        }
        guard !missing.isEmpty else { return finish() }
        timer = loop.schedule(after: MetricsEndpoint.patience) { [self] in finish() }
    }

    private func arrived(_ name: String, in collection: Int) {
        // A source that was late for the last scrape must not count for this one.
        guard collection == self.collection, missing.remove(name) != nil, missing.isEmpty else { return }
        finish()
    }

    private func finish() {
        timer?.cancel()
        timer = nil
        // What arrives from now on belongs to no request.
        collection += 1
        let snapshot = registry.snapshot(missing: missing)
        var texts: [MetricsFormat: [UInt8]] = [:]
        let answered = waiting
        waiting = []
        for (promise, format) in answered {
            let text = texts[format] ?? Array(format.text(of: snapshot).utf8)
            texts[format] = text
            let fields: HTTPFields = [
                .contentType: HTTPFieldValue(format.contentType) ?? "text/plain", .cacheControl: "no-store",
                .vary: "accept",
            ]
            promise.fulfil(HTTPResponse(status: .ok, fields: fields, body: .bytes(text)))
        }
    }
}
