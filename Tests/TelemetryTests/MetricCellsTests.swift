import Telemetry
import Testing

extension MetricFamily {
    static let inputs = MetricFamily.counter("test_inputs", "Inputs.", labels: "machine")
    static let open = MetricFamily.gauge("test_open", "Open \"things\".")
    static let times = MetricFamily.histogram("test_seconds", "Times.")
    static let cpu = MetricFamily.counter("test_cpu_seconds", "Processor time.")
}

struct MetricCellsTests {
    @Test func `the same labels have the same cell`() {
        let cells = MetricCells()
        cells.counter(.inputs, "a").add()
        cells.counter(.inputs, "a").add(2)
        cells.counter(.inputs, "b").add(5)
        #expect(cells.counter(.inputs, "a").value == 3)
        #expect(cells.counter(.inputs, "b").value == 5)
        #expect(cells.gauge(.open) === cells.gauge(.open))
        #expect(cells.histogram(.times) === cells.histogram(.times))
    }

    @Test func `a gauge grows and shrinks`() {
        let gauge = MetricCells().gauge(.open)
        gauge.add(3)
        gauge.add(-4)
        #expect(gauge.value == -1)
    }

    @Test func `a snapshot does not change afterwards`() {
        let cells = MetricCells()
        cells.counter(.inputs, "a").add()
        let snapshot = cells.snapshot
        cells.counter(.inputs, "a").add()
        #expect(Array(snapshot.values.values) == [.count(1)])
    }

    @Test func `the clock is the one that was given`() {
        var time: UInt64 = 5
        let cells = MetricCells { time }
        time = 7
        #expect(cells.now == 7)
        #expect(MetricCells().now > 0)
    }

    @Test(arguments: [(0, 0), (10_000, 0), (10_001, 1), (25_000, 1), (10_000_000_000, 17), (10_000_000_001, 18)])
    func `bounds of buckets are inclusive`(nanoseconds: UInt64, bucket: Int) throws {
        let cells = MetricCells()
        cells.histogram(.times).record(nanoseconds: nanoseconds)
        let value = try #require(cells.snapshot.values.values.first)
        guard case .distribution(let distribution) = value else {
            Issue.record("expected a distribution, got \(value)")
            return
        }
        #expect(distribution.counts.firstIndex(of: 1) == bucket)
        #expect(distribution.count == 1)
        #expect(distribution.sum == nanoseconds)
    }

    @Test func `bounds ascend`() {
        #expect(Histogram.bounds == Histogram.bounds.sorted())
        #expect(Set(Histogram.bounds).count == Histogram.bounds.count)
    }
}
