import Locking
import Testing

@testable import Telemetry

struct SpanExporterTests {
    /// Runs work and answers batches when a test says so.
    private final class Surroundings: Sendable {
        let work = Lock<[(delay: Duration, run: @Sendable () -> Void)]>([])
        let sent = Lock<[(json: [UInt8], ended: @Sendable (Bool) -> Void)]>([])

        /// Runs the work that was scheduled first, and returns its delay.
        func runNext() -> Duration? {
            let next = work.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?.run()
            return next?.delay
        }

        func answer(_ isAccepted: Bool) {
            let first = sent.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            first?.ended(isAccepted)
        }
    }

    private let surroundings = Surroundings()
    private let exporter: SpanExporter

    init() {
        exporter = SpanExporter(
            TraceDocument(service: "test", version: "1"), perSecond: 10_000, delay: .seconds(2), clock: { 7 }
        ) { [surroundings] delay, work in
            surroundings.work.withLock { $0.append((delay, work)) }
        } send: { [surroundings] json, ended in
            surroundings.sent.withLock { $0.append((json, ended)) }
        }
    }

    private var metrics: String {
        var snapshot = MetricSnapshot()
        exporter.addMetrics(to: &snapshot)
        return MetricsFormat.prometheus.text(of: snapshot)
    }

    @Test func `spans are sent after the delay, by other work than that which records them`() {
        exporter.record(.sample(1))
        exporter.record(.sample(2))
        #expect(surroundings.sent.withLock { $0.isEmpty })
        #expect(surroundings.runNext() == .seconds(2))
        #expect(surroundings.sent.withLock { $0.isEmpty })
        #expect(surroundings.runNext() == .zero)
        let text = surroundings.sent.withLock { $0.map { String(decoding: $0.json, as: UTF8.self) } }
        #expect(text.count == 1)
        #expect(text.first?.contains("\"spanId\":\"0000000000000002\"") == true)
        #expect(surroundings.runNext() == nil)
        surroundings.answer(true)
        #expect(metrics.contains("granary_spans_exported_total 2\n"))
        #expect(metrics.contains("granary_spans_dropped_total{reason=\"refused\"} 0\n"))
    }

    @Test func `what a slow collector leaves no room for, and what it refuses, is counted`() {
        for number in 1...3000 { exporter.record(.sample(UInt64(number))) }
        #expect(metrics.contains("granary_spans_dropped_total{reason=\"full\"} 440\n"))
        while surroundings.runNext() != nil {}
        surroundings.answer(false)
        #expect(metrics.contains("granary_spans_dropped_total{reason=\"refused\"} 512\n"))
        #expect(metrics.contains("granary_spans_exported_total 0\n"))
    }

    @Test func `the end does not wait longer than its limit`() async {
        exporter.record(.sample(1))
        async let end: Void = exporter.finish(within: .seconds(1))
        // The work of the batch comes before that of the limit, and the collector does not answer.
        while !surroundings.work.withLock({ $0.contains { $0.delay == .seconds(1) } }) { await Task.yield() }
        while surroundings.runNext() != nil {}
        await end
        #expect(surroundings.sent.withLock { $0.count } == 1)
    }

    @Test func `the end is reported when nothing is left to send`() {
        let ends = Lock(0)
        exporter.finish { ends.withLock { $0 += 1 } }
        #expect(ends.withLock { $0 } == 1)
        exporter.record(.sample(1))
        exporter.finish { ends.withLock { $0 += 1 } }
        #expect(ends.withLock { $0 } == 1)
        while surroundings.runNext() != nil {}
        surroundings.answer(false)
        #expect(ends.withLock { $0 } == 2)
    }
}
