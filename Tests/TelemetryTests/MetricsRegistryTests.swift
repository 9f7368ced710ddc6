import Locking
import Telemetry
import Testing

struct MetricsRegistryTests {
    private typealias Report = @Sendable (MetricSnapshot) -> Void

    private func counted(_ count: UInt64) -> MetricSnapshot {
        let cells = MetricCells()
        cells.counter(.inputs, "a").add(count)
        return cells.snapshot
    }

    private func inputs(_ snapshot: MetricSnapshot) -> MetricSnapshot.Value? {
        snapshot.values.first { $0.key.family == .inputs }?.value
    }

    private func responsive(_ snapshot: MetricSnapshot) -> [String: MetricSnapshot.Value] {
        Dictionary(
            uniqueKeysWithValues: snapshot.values.filter { $0.key.family == MetricsRegistry.responsive }
                .map { ($0.key.values[0], $0.value) })
    }

    @Test func `values of all sources are added`() {
        let registry = MetricsRegistry { $0.set(.cpu, to: 2) }
        for (name, count) in [("x", 1), ("y", 2)] as [(String, UInt64)] {
            let values = counted(count)
            registry.add(name) { $0(values) }
        }
        let reported = Lock<Set<String>>([])
        #expect(registry.collect { name in reported.withLock { _ = $0.insert(name) } } == ["x", "y"])
        #expect(reported.withLock { $0 } == ["x", "y"])
        let snapshot = registry.snapshot()
        #expect(inputs(snapshot) == .count(3))
        #expect(snapshot.values.contains { $0.key.family == .cpu && $0.value == .level(2) })
        #expect(responsive(snapshot) == ["x": .level(1), "y": .level(1)])
    }

    @Test func `the last values of a source that is late are shown`() {
        let registry = MetricsRegistry()
        let reports = Lock<[Report]>([])
        registry.add("late") { report in reports.withLock { $0.append(report) } }
        _ = registry.collect { _ in }
        reports.withLock { $0[0] }(counted(7))
        _ = registry.collect { _ in }
        let snapshot = registry.snapshot(missing: ["late"])
        #expect(inputs(snapshot) == .count(7))
        #expect(responsive(snapshot) == ["late": .level(0)])
        reports.withLock { $0[1] }(counted(9))
        #expect(inputs(registry.snapshot()) == .count(9))
    }

    @Test func `a source with a known name replaces the one before`() {
        let registry = MetricsRegistry()
        for count in [3, 4] as [UInt64] {
            let values = counted(count)
            registry.add("x") { $0(values) }
        }
        #expect(registry.collect { _ in } == ["x"])
        #expect(inputs(registry.snapshot()) == .count(4))
    }

    @Test func `cells of a loop are read on the loop`() {
        let registry = MetricsRegistry()
        let tasks = Lock<[@Sendable () -> Void]>([])
        let cells = registry.makeCells("loop") { work in
            tasks.withLock { $0.append(work) }
        } extra: {
            $0.set(.open, to: 4)
        }
        _ = registry.collect { _ in }
        cells.counter(.inputs, "a").add(6)
        #expect(inputs(registry.snapshot()) == nil)
        for task in tasks.withLock({ $0 }) { task() }
        #expect(inputs(registry.snapshot()) == .count(6))
        #expect(registry.snapshot().values.contains { $0.key.family == .open && $0.value == .level(4) })
    }
}
