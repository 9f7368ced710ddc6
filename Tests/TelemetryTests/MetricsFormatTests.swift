import Telemetry
import Testing

struct MetricsFormatTests {
    private func snapshot(_ fill: (MetricCells) -> Void) -> MetricSnapshot {
        let cells = MetricCells()
        fill(cells)
        return cells.snapshot
    }

    @Test func `counters and gauges have a line for each series, in order`() {
        let snapshot = snapshot {
            $0.counter(.inputs, "b").add(2)
            $0.counter(.inputs, "a").add(1)
            $0.gauge(.open).add(-3)
        }
        #expect(
            MetricsFormat.prometheus.text(of: snapshot) == """
                # HELP test_inputs_total Inputs.
                # TYPE test_inputs_total counter
                test_inputs_total{machine="a"} 1
                test_inputs_total{machine="b"} 2
                # HELP test_open Open "things".
                # TYPE test_open gauge
                test_open -3

                """)
    }

    @Test func `OpenMetrics names families without the suffix of counters and ends with a mark`() {
        let snapshot = snapshot {
            $0.counter(.inputs, "a").add(1)
            $0.gauge(.open).add(1)
        }
        #expect(
            MetricsFormat.openMetrics.text(of: snapshot) == """
                # HELP test_inputs Inputs.
                # TYPE test_inputs counter
                test_inputs_total{machine="a"} 1
                # HELP test_open Open \\"things\\".
                # TYPE test_open gauge
                test_open 1
                # EOF

                """)
    }

    @Test func `buckets of a histogram include the shorter ones`() {
        let text = MetricsFormat.prometheus.text(
            of: snapshot {
                let times = $0.histogram(.times)
                for time in [5000, 20_000, 20_000, 60_000_000_000] as [UInt64] { times.record(nanoseconds: time) }
            })
        let lines = text.split(separator: "\n")
        #expect(lines.contains("test_seconds_bucket{le=\"1e-05\"} 1"))
        #expect(lines.contains("test_seconds_bucket{le=\"2.5e-05\"} 3"))
        #expect(lines.contains("test_seconds_bucket{le=\"10\"} 3"))
        #expect(lines.contains("test_seconds_bucket{le=\"+Inf\"} 4"))
        #expect(lines.contains("test_seconds_sum 60.000045"))
        #expect(lines.last == "test_seconds_count 4")
    }

    @Test func `quotes, backslashes and line breaks in labels are escaped`() {
        for format in MetricsFormat.allCases {
            let text = format.text(of: snapshot { $0.counter(.inputs, "a\"} 1\n\\x").add() })
            #expect(text.contains("test_inputs_total{machine=\"a\\\"} 1\\n\\\\x\"} 1\n"))
        }
    }

    @Test func `a value that was measured may be a counter with a fraction`() {
        var snapshot = MetricSnapshot()
        snapshot.set(.cpu, to: 1.25)
        #expect(MetricsFormat.prometheus.text(of: snapshot).hasSuffix("test_cpu_seconds_total 1.25\n"))
    }

    @Test(
        arguments: [
            (nil, .prometheus), ("", .prometheus), ("*/*", .prometheus), ("text/plain", .prometheus),
            ("application/openmetrics-text", .openMetrics),
            ("text/plain;q=0.5, Application/OpenMetrics-Text; version=1.0.0", .openMetrics),
            ("application/openmetrics-text;q=0", .prometheus), ("application/openmetrics-text; q=0.0", .prometheus),
            ("application/openmetrics-text;q=0.4", .openMetrics), (";,;q=,,;;;", .prometheus),
        ] as [(String?, MetricsFormat)])
    func `the format follows Accept`(_ accept: String?, _ format: MetricsFormat) {
        #expect(MetricsFormat(accept: accept) == format)
    }

    @Test func `the process has values`() {
        var snapshot = MetricSnapshot()
        ProcessMetrics.add(to: &snapshot)
        let text = MetricsFormat.prometheus.text(of: snapshot)
        let names = ["cpu_seconds_total", "resident_memory_bytes", "open_fds", "max_fds", "start_time_seconds"]
        for name in names { #expect(text.contains("\nprocess_\(name) ")) }
    }
}
