import Glibc
import HTTPModel
import MachineHost
import StateCapture
import Telemetry

/// Decides which requests of one loop are traced, and records their spans. Confined to the loop.
///
/// A request that is not sampled costs a decrement and, if parents are followed, a search for its `Traceparent`: neither a lock nor an
/// allocation.
final class RequestTracer {
    private static let limited = MetricFamily.counter(
        "granary_traces_limited",
        "Requests that were not traced because more than traces.rate were sampled in a second.")
    private static let second: UInt64 = 1_000_000_000

    /// The span of a request in progress.
    struct Trace {
        /// The span.
        let context: TraceContext
        /// The span of the client that has caused it; nil if the trace begins here.
        let parentID: UInt64?
        /// The beginning, in nanoseconds of Unix time.
        let start: UInt64
    }

    private let spans: any SpanReceiver
    private let cells: MetricCells
    private let limited: Counter
    private let followsParents: Bool
    /// The part of the requests that is sampled, from 0 to 1.
    private let ratio: Double
    /// The number of requests per second.
    private let rate: Int
    // Not for secrets: nothing that it decides is one.
    private var random: SeededGenerator
    /// How many requests are passed over before the next one that is sampled.
    private var passes: UInt64 = 0
    private var secondEnd: UInt64 = 0
    private var sampled = 0

    /// Creates the tracer of a loop.
    ///
    /// - Parameters:
    ///   - spans: Takes the spans.
    ///   - configuration: Which requests are sampled.
    ///   - loops: The number of loops, which share the rate.
    ///   - cells: The cells of the loop.
    ///   - seed: Begins the random numbers.
    init(
        _ spans: any SpanReceiver, _ configuration: Configuration.Traces, loops: Int, in cells: MetricCells,
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        (self.spans, self.cells) = (spans, cells)
        limited = cells.counter(RequestTracer.limited)
        followsParents = configuration.followsParents
        ratio = configuration.ratio
        rate = max(1, configuration.rate / max(1, loops))
        random = SeededGenerator(seed: seed)
        passes = drawPasses()
    }

    /// Draws how many requests are passed over if each is sampled with the probability `ratio`: a geometric distribution.
    private func drawPasses() -> UInt64 {
        guard ratio > 0 else { return .max }
        guard ratio < 1 else { return 0 }
        return UInt64(min(log(Double.random(in: .leastNonzeroMagnitude...1, using: &random)) / log1p(-ratio), 0x1p63))
    }

    /// Returns the span of a request that is sampled; nil for the others.
    func sample(_ request: HTTPRequest) -> Trace? {
        guard request.peer.role == .public, isWanted(request), isWithinRate() else { return nil }
        guard let parent = TraceParent(of: request.fields) else {
            return Trace(context: .root(), parentID: nil, start: spans.now)
        }
        let context = TraceContext(
            traceID: parent.traceID, spanID: parent.spanID, state: TraceState.text(of: request.fields))
        return Trace(context: context.child(), parentID: parent.spanID, start: spans.now)
    }

    private func isWanted(_ request: HTTPRequest) -> Bool {
        if followsParents, let parent = TraceParent(of: request.fields) { return parent.isSampled }
        // Not derived from the trace's id, as other samplers do: clients choose it.
        guard passes == 0 else {
            passes -= 1
            return false
        }
        passes = drawPasses()
        return true
    }

    private func isWithinRate() -> Bool {
        let now = cells.now
        if now >= secondEnd { (secondEnd, sampled) = (now &+ RequestTracer.second, 0) }
        guard sampled < rate else {
            limited.add()
            return false
        }
        sampled += 1
        return true
    }

    /// Records the span of a request as soon as its response exists.
    func record(_ answer: HTTPAnswer, to request: HTTPRequest, in trace: Trace) {
        switch answer {
        case .response(let response): record(response, to: request, in: trace)
        case .deferred(let promise): promise.change { [self] response in record(response, to: request, in: trace) }
        }
    }

    private func record(_ response: HTTPResponse, to request: HTTPRequest, in trace: Trace) {
        let method = RequestMeter.name(of: request.method)
        let route = RequestRoute(target: request.target).template
        let status = response.status.code
        var attributes = [
            Span.Attribute("http.request.method", .text(method)), Span.Attribute("http.route", .text(route)),
            Span.Attribute("http.response.status_code", .number(Int64(status))),
            Span.Attribute("url.scheme", .text(request.scheme)),
        ]
        if let session = SessionHost.logName(ofSessionIn: request.target) {
            attributes.append(Span.Attribute("granary.session", .text(session)))
        }
        spans.record(
            Span(
                "\(method) \(route)", .server, trace.context, parentID: trace.parentID, from: trace.start,
                to: spans.now, attributes, failure: status >= 500 ? "status \(status)" : nil))
    }
}
