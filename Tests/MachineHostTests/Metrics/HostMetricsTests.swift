import HTTPModel
import MachineTesting
import Telemetry
import Testing

@testable import MachineHost

struct HostMetricsTests {
    private func value(_ name: String, _ labels: [String], of harness: HostHarness) -> MetricSnapshot.Value? {
        harness.shard.meter.cells.snapshot.values.first { $0.key.family.name == name && $0.key.values == labels }?.value
    }

    @Test func `sessions, inputs, changes and turns are counted by machine`() throws {
        let harness = try HostHarness.counting()
        let machine = "scripted"
        #expect(value("granary_sessions", [machine], of: harness) == .level(0))
        let path = harness.makeSession()
        #expect(value("granary_sessions", [machine], of: harness) == .level(1))
        #expect(value("granary_sessions_created", [machine], of: harness) == .count(1))
        #expect(harness.send(.post, "\(path)/inputs/increment").status == .ok)
        #expect(harness.send(.post, "\(path)/inputs/absent").status == .notFound)
        #expect(value("granary_inputs", [machine], of: harness) == .count(1))
        #expect(value("granary_changes", [machine], of: harness) == .count(1))
        guard case .distribution(let turns)? = value("granary_turn_duration_seconds", [machine], of: harness) else {
            Issue.record("expected a histogram of turns")
            return
        }
        #expect(turns.count == 1)
        #expect(harness.send(.delete, path).status == .noContent)
        #expect(value("granary_sessions", [machine], of: harness) == .level(0))
        #expect(value("granary_sessions_ended", [machine, "deleted"], of: harness) == .count(1))
    }

    @Test func `series exist before the first session`() throws {
        let harness = try HostHarness.counting()
        for reason in ["deleted", "expired", "failed"] {
            #expect(value("granary_sessions_ended", ["scripted", reason], of: harness) == .count(0))
        }
        #expect(value("granary_idempotent_replays", [], of: harness) == .count(0))
    }

    @Test func `a repeated request with a key is counted as a replay`() throws {
        let harness = try HostHarness.counting()
        let path = harness.makeSession()
        for _ in 0..<3 { _ = harness.send(.post, "\(path)/inputs/increment", fields: [.idempotencyKey: "\"k\""]) }
        #expect(value("granary_idempotent_replays", [], of: harness) == .count(2))
        #expect(value("granary_inputs", ["scripted"], of: harness) == .count(1))
    }

    @Test func `a batch counts its inputs`() throws {
        let harness = try HostHarness.counting()
        let path = harness.makeSession()
        let batch = "[{\"input\":\"increment\"},{\"input\":\"increment\"}]"
        #expect(harness.send(.post, "\(path)/inputs", body: batch).status == .ok)
        #expect(value("granary_inputs", ["scripted"], of: harness) == .count(2))
    }

    @Test func `turns are not measured if nobody reads the metrics`() throws {
        var readings = 0
        for areRead in [true, false] {
            let cells = MetricCells(areRead: areRead) {
                readings += 1
                return 0
            }
            let meter = MachineMeter("scripted", in: cells)
            _ = meter.turnEnded(since: meter.turnStart)
            #expect(readings == 2)
        }
    }
}
