import Foundation
import JournalTesting
import Testing

/// Sessions keep what they have promised, whatever happens to the process and its journal.
///
/// `SIMULATION_SEED=…` replays a failing seed and prints what happens. `SIMULATION_SEEDS=…` runs another number of them, and
/// `SIMULATION_CONTINUE=1` does not stop at the first that fails.
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let steps = 120

    private static var seeds: Range<UInt64> {
        if let seed = environment["SIMULATION_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
        return 0..<(environment["SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 2000)
    }

    @Test func `sessions keep their promises when processes end`() throws {
        var (crashes, acknowledged, dormantReads) = (0, 0, 0)
        for seed in Self.seeds {
            let run = try SimulationRun(seed: seed)
            if Self.environment["SIMULATION_SEED"] != nil { run.trace = { print($0) } }
            let violations = try run.run(steps: Self.steps)
            crashes += run.crashes
            acknowledged += run.checker.acknowledgedInputs
            dormantReads += run.dormantReads
            guard !violations.isEmpty else { continue }
            Issue.record("seed \(seed): \(violations.map(\.description).joined(separator: "\n"))")
            if Self.environment["SIMULATION_CONTINUE"] == nil { return }
        }
        // A simulation in which nothing happens proves nothing.
        #expect(crashes >= Self.seeds.count)
        #expect(acknowledged >= Self.seeds.count)
        #expect(dormantReads >= Self.seeds.count / 10)
    }

    @Test func `a journal that acknowledges too early is found out`() throws {
        var found = 0
        for seed in UInt64(0)..<40 {
            let violations = try SimulationRun(seed: seed, acknowledgesEarly: true).run(steps: Self.steps)
            if !violations.isEmpty { found += 1 }
        }
        #expect(found >= 10)
    }
}
