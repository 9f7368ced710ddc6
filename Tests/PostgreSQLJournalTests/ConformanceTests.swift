import JournalTesting
import MachineHost
import Testing

@Suite(.enabled(if: TestEngine.isInstalled, TestEngine.missing))
struct ConformanceTests {
    @Test(arguments: JournalConformance.checks)
    func `a journal of PostgreSQL conforms`(check: JournalConformance.Check) throws {
        #expect(check.findings(with: try PostgreSQLStorage()) == [])
    }

    /// Checks whose many or large contents take most of the time, and break a connection or concern a node no differently.
    private static let large = ["Contents of 10 MiB", "10,000 sessions", "Trimming", "Tidying", "Random changes"]

    @Test
    func `the journal of a node conforms`() throws {
        for check in JournalConformance.checks
        where !ConformanceTests.large.contains(where: check.name.hasPrefix) {
            #expect(check.findings(with: try PostgreSQLStorage(isForNodes: true)) == [])
        }
    }

    @Test
    func `a journal conforms over connections that break`() throws {
        var faults = 0
        for (index, check) in JournalConformance.checks.enumerated()
        where !ConformanceTests.large.contains(where: check.name.hasPrefix) {
            let storage = try PostgreSQLStorage(seed: UInt64(index))
            #expect(check.findings(with: storage) == [])
            faults += storage.faults
        }
        #expect(faults > 0)
    }

    @Test(arguments: [(1, false), (2, true)] as [(UInt64, Bool)])
    func `random changes over connections that break lead to what a model says`(seed: UInt64, isNode: Bool) throws {
        let check = try #require(JournalConformance.checks.first { $0.name.hasPrefix("Random changes") })
        let storage = try PostgreSQLStorage(seed: seed, isForNodes: isNode)
        #expect(check.findings(with: storage, seed: seed) == [])
        #expect(storage.faults > 0)
    }
}
