import Foundation
import JournalTesting
import MachineHost
import Testing

/// Sessions keep what they have promised, whatever happens to the process and its journal.
///
/// A run that fails shows what happened. `SIMULATION_SEED=…` repeats a seed, and prints what happens; it may go another way, because the
/// ids of sessions, and so their loops, are random. `SIMULATION_SEEDS=…` runs another number of seeds, and `SIMULATION_CONTINUE=1` does
/// not stop at the first that fails.
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let steps = 120

    private static var seeds: Range<UInt64> {
        if let seed = environment["SIMULATION_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
        return 0..<(environment["SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 500)
    }

    @Test func `sessions keep their promises when processes end`() throws {
        let totals = try check(.disk, Self.seeds)
        #expect(totals.dormantReads >= Self.seeds.count / 40)
        #expect(totals.exchanges.completed >= Self.seeds.count / 10)
        #expect(totals.exchanges.undone >= Self.seeds.count / 40)
    }

    @Test func `sessions that may lose turns with the power announce it by a new epoch`() throws {
        _ = try check(.process, Self.seeds.count == 1 ? Self.seeds : 0..<UInt64(Self.seeds.count / 2))
    }

    private func check(
        _ durability: Durability, _ seeds: Range<UInt64>
    ) throws -> (dormantReads: Int, exchanges: (completed: Int, undone: Int)) {
        var (crashes, acknowledged, dormantReads, powerLosses) = (0, 0, 0, 0)
        var exchanges = (completed: 0, undone: 0)
        var namedSessions = 0
        for seed in seeds {
            let run = try SimulationRun(seed: seed, durability: durability)
            let prints = Self.environment["SIMULATION_SEED"] != nil
            var events: [String] = []
            run.trace = { if prints { print($0) } else { events.append($0) } }
            let violations = try run.run(steps: Self.steps)
            crashes += run.crashes
            acknowledged += run.checker.acknowledgedInputs
            dormantReads += run.dormantReads
            powerLosses += run.powerLosses
            namedSessions += run.namedSessions
            exchanges.completed += run.exchanges.completed
            exchanges.undone += run.exchanges.undone
            guard !violations.isEmpty else { continue }
            let report = (violations.map(\.description) + events).joined(separator: "\n")
            Issue.record("\(durability.rawValue), seed \(seed): \(report)")
            if Self.environment["SIMULATION_CONTINUE"] == nil { break }
        }
        // A simulation in which nothing happens proves nothing.
        #expect(crashes >= seeds.count)
        #expect(powerLosses >= seeds.count)
        #expect(acknowledged >= seeds.count)
        #expect(namedSessions >= seeds.count / 4)
        return (dormantReads, exchanges)
    }

    @Test func `a server that does not announce what the loss of power may have taken is found out`() throws {
        var found = 0
        // More than below: a fault of the commit with which a process begins loses nothing.
        for seed in UInt64(0)..<100 {
            let run = try SimulationRun(seed: seed, durability: .process, noticesPowerLoss: false)
            if try run.run(steps: Self.steps).contains(where: { $0.kind == .oldEpoch }) { found += 1 }
        }
        #expect(found >= 10)
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
