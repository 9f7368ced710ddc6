import HTTPModel
import HTTPServer
import Log
import MachineHost
import Telemetry

/// The metrics, the traces and the access log of a server. Every loop has a part of its own.
struct ServerTelemetry: Sendable {
    private static let build = MetricFamily.gauge("granary_build_info", "The version of the server.", labels: "version")
    private static let rounds = MetricFamily.counter(
        "granary_loop_rounds", "Rounds of an event loop that had something to do.", labels: "loop")
    private static let busy = MetricFamily.counter(
        "granary_loop_busy_seconds", "The time that an event loop was not waiting, in seconds.", labels: "loop")

    /// All metrics; nil if they are off, or nobody can read them.
    let registry: MetricsRegistry?
    /// Sends spans to the collector; nil if nothing is traced.
    private let spans: SpanExporter?
    private let traces: Configuration.Traces
    private let accessLog: (log: Log, rate: Int)?

    /// Creates the telemetry of a server. A server that no operator can ask for metrics has none, so that requests do not pay for
    /// them.
    ///
    /// - Parameters:
    ///   - inherited: The sockets that another process has opened. A supervisor's may be for operators.
    ///   - host: The host whose metrics are included; nil for a server without one.
    ///   - spans: Sends spans to the collector; nil if nothing is traced.
    init(
        _ configuration: Configuration, inherited: InheritedSockets? = nil, host: SessionHost? = nil,
        spans: SpanExporter? = nil, log: Log
    ) {
        (self.spans, traces) = (spans, configuration.traces)
        accessLog = configuration.log.access ? (log, configuration.log.accessRate) : nil
        guard configuration.servesMetrics, configuration.hasOperators(inherited) else {
            registry = nil
            return
        }
        registry = MetricsRegistry { snapshot in
            snapshot.set(ServerTelemetry.build, GranaryVersion.current, to: 1)
            ProcessMetrics.add(to: &snapshot)
            host?.addMetrics(to: &snapshot)
            spans?.addMetrics(to: &snapshot)
        }
        if let registry { host?.addJournal(to: registry) }
    }

    /// Returns the cells of a loop. Called once for each loop, on it.
    func makeCells(for loop: any EventLoop) -> MetricCells {
        guard let registry else { return MetricCells(areRead: false) }
        let index = "\(loop.index)"
        return registry.makeCells("loop \(index)", execute: loop.execute) { snapshot in
            guard let activity = (loop as? any MeasuredEventLoop)?.measured else { return }
            snapshot.set(ServerTelemetry.rounds, index, to: Double(activity.rounds))
            snapshot.set(ServerTelemetry.busy, index, to: Double(activity.busy) / 1e9)
        }
    }

    /// Returns what measures the requests of a loop; nil if nothing needs it.
    func makeMeter(in cells: MetricCells, for loop: any EventLoop) -> RequestMeter? {
        guard registry != nil || accessLog != nil else { return nil }
        return RequestMeter(
            in: cells, on: loop,
            accessLog: accessLog.map { AccessLog(log: $0.log, rate: max(1, $0.rate / max(1, loop.count))) })
    }

    /// Returns what traces the requests of a loop; nil if nothing is traced.
    func makeTracer(in cells: MetricCells, for loop: any EventLoop) -> RequestTracer? {
        spans.map { RequestTracer($0, traces, loops: loop.count, in: cells) }
    }

    /// Returns what responds to requests for metrics; nil if they are off.
    func makeEndpoint(on loop: any EventLoop) -> MetricsEndpoint? {
        registry.map { MetricsEndpoint($0, on: loop) }
    }
}
