import JournalTesting
import MachineHost
import Testing

struct ConformanceTests {
    @Test(arguments: JournalConformance.checks)
    func `a journal of SQLite conforms`(check: JournalConformance.Check) throws {
        #expect(check.findings(with: try SQLiteStorage()) == [])
    }

    @Test(arguments: JournalConformance.checks)
    func `a journal of SQLite with a row log conforms`(check: JournalConformance.Check) throws {
        #expect(check.findings(with: try SQLiteStorage(usesRowLog: true)) == [])
    }

    @Test(arguments: JournalConformance.checks)
    func `a journal in memory conforms`(check: JournalConformance.Check) {
        #expect(check.findings(with: MemoryStorage()) == [])
    }

    @Test(arguments: JournalConformance.checks)
    func `a simulated journal without faults conforms`(check: JournalConformance.Check) {
        #expect(check.findings(with: SimulatedStorage()) == [])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random changes of a simulated journal lead to what a model says`(seed: UInt64) throws {
        let check = try #require(JournalConformance.checks.first { $0.name.hasPrefix("Random changes") })
        #expect(check.findings(with: SimulatedStorage(faults: JournalFaults(seed: seed)), seed: seed) == [])
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `random changes of a journal of SQLite lead to what a model says`(seed: UInt64) throws {
        let check = try #require(JournalConformance.checks.first { $0.name.hasPrefix("Random changes") })
        #expect(check.findings(with: try SQLiteStorage(), seed: seed) == [])
        #expect(check.findings(with: try SQLiteStorage(usesRowLog: true), seed: seed) == [])
    }

    @Test
    func `the kit finds a journal that acknowledges too early`() throws {
        var faults = JournalFaults(seed: 1)
        faults.acknowledgesEarly = true
        let failed = JournalConformance.checks.filter { !$0.findings(with: SimulatedStorage(faults: faults)).isEmpty }
        #expect(failed.contains { $0.name.hasPrefix("Committed batches survive the end") })
        #expect(failed.contains { $0.name.hasPrefix("Flushed batches survive the loss of power") })
        #expect(failed.contains { $0.name.hasPrefix("Random changes") })
    }
}
