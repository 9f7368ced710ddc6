import Locking
import MachineHost
import Testing

@testable import PostgreSQLJournal

// One after another: there is one standby.
@Suite(.enabled(if: TestEngine.isInstalled, TestEngine.missing), .serialized)
struct StandbyTests {
    private let engine: TestEngine
    private let schema: String
    private let id = StoredSessionID.sample(1)

    init() throws {
        engine = try TestEngine.shared
        schema = engine.makeSchema()
    }

    private func open(_ wait: EngineWait, options: String = "options=-csynchronous_commit%3Don") throws
        -> PostgreSQLJournal
    {
        try PostgreSQLJournal(
            try engine.address(options: options), schema: schema, guarantee: .replicated, wait: wait)
    }

    @Test
    func `an engine that does not wait for its standby is refused`() throws {
        let error = failure { _ = try open(EngineWait(limit: .zero), options: "") }
        #expect(error?.kind == .unsupported)
        #expect(error?.detail.contains("synchronous_commit") == true)
    }

    @Test
    func `a batch is acknowledged when the standby has it, also if the engine stops waiting`() throws {
        var standby = try engine.startStandby()
        let reports = Reports()
        let journal = try UnsafeTransfer(open(reports.wait(limit: .seconds(120))))
        #expect(journal.value.guarantee == .replicated)
        try journal.value.commit { $0.add(.store(.sample(id))) }
        standby.end()
        let call = Call { [id] in try journal.value.commit { $0.append(id, rows: 1...1) } }
        try waitForStandby(notOf: nil)
        let backend = try #require(try backend())
        // The engine commits with a warning.
        try engine.run("SELECT pg_cancel_backend(\(backend))::text")
        try waitForStandby(notOf: backend)
        #expect(!call.hasEnded)
        standby = try engine.startStandby()
        try call.value()
        #expect(try journal.value.numbers(of: id) == [1])
        try journal.value.close()
        standby.end()
    }

    private func backend() throws -> String? {
        try engine.run("SELECT pid::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    }

    /// Waits until a connection, but not a given one, waits for the standby.
    private func waitForStandby(notOf former: String?) throws {
        try eventually {
            let found = try backend()
            return found != nil && found != former
        }
    }
}
