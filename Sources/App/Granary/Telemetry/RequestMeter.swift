import HTTPModel
import MachineHost
import Telemetry

/// Measures the requests of one loop, for the metrics and the access log. Confined to the loop.
final class RequestMeter {
    private static let requests = MetricFamily.counter(
        "granary_http_requests", "Responses by route, method and class of status. A stream is counted when it begins.",
        labels: "route", "method", "status")
    private static let durations = MetricFamily.histogram(
        "granary_http_request_duration_seconds",
        "The time from the loop's round with the complete request to its response, or to the beginning of a stream.",
        labels: "route")
    private static let methods = ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "other"]

    private let cells: MetricCells
    private let loop: any EventLoop
    private let accessLog: AccessLog?
    // Unchecked exclusivity: the meter is confined to its loop, and no access lasts across a call.
    /// By route, method and status class. Created when first used: most combinations never occur.
    @exclusivity(unchecked) private var series: ContiguousArray<Series?>
    /// The last series of each route: most requests of a route have the same method and class of status.
    @exclusivity(unchecked) private var recent: ContiguousArray<Series?>
    /// By route. Created at the start, so that the series exist before the first request.
    private let histograms: ContiguousArray<Histogram>

    /// The metrics of the responses of a route with the same method and class of status.
    private final class Series {
        let method: HTTPMethod
        let statusClass: UInt16
        let responses: Counter
        let durations: Histogram

        init(_ method: HTTPMethod, _ statusClass: UInt16, _ responses: Counter, _ durations: Histogram) {
            (self.method, self.statusClass) = (method, statusClass)
            (self.responses, self.durations) = (responses, durations)
        }
    }

    /// Creates the meter of a loop.
    ///
    /// - Parameters:
    ///   - cells: The cells of the loop.
    ///   - accessLog: Receives a line for each response; nil if none is written.
    init(in cells: MetricCells, on loop: any EventLoop, accessLog: AccessLog?) {
        (self.cells, self.loop) = (cells, loop)
        self.accessLog = accessLog
        series = ContiguousArray(repeating: nil, count: RequestRoute.allCases.count * RequestMeter.methods.count * 5)
        recent = ContiguousArray(repeating: nil, count: RequestRoute.allCases.count)
        histograms = ContiguousArray(
            RequestRoute.allCases.map { cells.histogram(RequestMeter.durations, $0.template) })
    }

    /// The time of a request that begins now: the beginning of the loop's round, which includes the time that the request has
    /// waited for others.
    var start: UInt64 { loop.now.nanoseconds }

    /// Counts the response to a request, as soon as it exists.
    ///
    /// - Parameters:
    ///   - answer: The response, or a promise of it.
    ///   - resource: The resource that the host has found in the target; nil if the host has not seen it.
    ///   - start: The ``start`` of the request.
    func count(_ answer: HTTPAnswer, to request: HTTPRequest, at resource: RoutedResource?, since start: UInt64) {
        switch answer {
        case .response(let response): count(response, to: request, at: resource, since: start)
        case .deferred(let promise):
            promise.change { [self] response in count(response, to: request, at: resource, since: start) }
        }
    }

    private func count(
        _ response: HTTPResponse, to request: HTTPRequest, at resource: RoutedResource?, since start: UInt64
    ) {
        let now = cells.now
        // A loop whose clock is virtual has another beginning.
        let elapsed = now > start ? now &- start : 0
        let route = resource.map { RequestRoute($0) } ?? RequestRoute(target: request.target)
        count(in: series(route, request.method, response.status.code / 100), nanoseconds: elapsed)
        accessLog?.write(request, route, response, nanoseconds: elapsed, now: now)
    }

    private func count(in series: Series, nanoseconds: UInt64) {
        series.responses.add()
        series.durations.record(nanoseconds: nanoseconds)
    }

    private func series(_ route: RequestRoute, _ method: HTTPMethod, _ statusClass: UInt16) -> Series {
        if let last = recent[route.rawValue], last.statusClass == statusClass, last.method == method { return last }
        let found = find(route, method, statusClass)
        recent[route.rawValue] = found
        return found
    }

    private func find(_ route: RequestRoute, _ method: HTTPMethod, _ statusClass: UInt16) -> Series {
        let kind = RequestMeter.index(of: method)
        let index = (route.rawValue * RequestMeter.methods.count + kind) * 5 + Int(statusClass) - 1
        // Another method that counts as `other` shares the cells, not the object, which names the method.
        if let known = series[index], known.method == method { return known }
        let counter = cells.counter(
            RequestMeter.requests, route.template, RequestMeter.methods[kind], "\(statusClass)xx")
        let made = Series(method, statusClass, counter, histograms[route.rawValue])
        series[index] = made
        return made
    }

    private static func index(of method: HTTPMethod) -> Int {
        switch method {
        case .get: 0
        case .head: 1
        case .post: 2
        case .delete: 3
        case .options: 4
        default: 5
        }
    }

    /// Returns the name of a method that metrics and the access log show.
    static func name(of method: HTTPMethod) -> String { methods[index(of: method)] }
}
