import Foundation
import Testing

@testable import MachineHost

/// Nodes that share a journal keep their promises, whatever happens to them and to the network.
///
/// `SIMULATION_SEED=…` repeats a seed, and `SIMULATION_SEEDS=…` runs another number of them.
struct ClusterSimulationTests {
    private static let environment = ProcessInfo.processInfo.environment

    private static var seeds: Range<UInt64> {
        if let seed = environment["SIMULATION_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
        return 0..<(environment["SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 200)
    }

    @Test
    func `two nodes never store for a session at the same time, and none shows what is outdated`() {
        var totals = ClusterSimulation.Counts()
        for seed in Self.seeds {
            let simulation = ClusterSimulation(seed: seed)
            let violations = simulation.run()
            totals.acknowledged += simulation.counts.acknowledged
            totals.reads += simulation.counts.reads
            totals.fences += simulation.counts.fences
            totals.suspensions += simulation.counts.suspensions
            totals.zombies += simulation.counts.zombies
            totals.moves += simulation.counts.moves
            guard !violations.isEmpty else { continue }
            Issue.record("seed \(seed): \(violations.joined(separator: "\n"))")
            break
        }
        // A simulation in which nothing happens proves nothing.
        let count = Self.seeds.count
        guard count > 1 else { return }
        #expect(totals.acknowledged >= count * 60 && totals.reads >= count * 40)
        #expect(totals.fences >= count && totals.suspensions >= count)
        #expect(totals.zombies >= count / 4 && totals.moves >= count / 2)
    }

    @Test
    func `appends without the lock of the fence are found out`() {
        let found = (0..<100 as Range<UInt64>).count { !ClusterSimulation(seed: $0, hasFences: false).run().isEmpty }
        #expect(found >= 3)
    }

    @Test
    func `a node that ignores its deadline is found out`() {
        let found = (0..<50 as Range<UInt64>).count {
            ClusterSimulation(seed: $0, ignoresDeadlines: true).run().contains { $0.contains("read") }
        }
        #expect(found >= 5)
    }
}
