import Locking
import MachineHost
import Testing

@testable import PostgreSQLJournal

@Suite(.enabled(if: TestEngine.isInstalled, TestEngine.missing))
struct FenceTests {
    private let engine: TestEngine
    private let schema: String
    private let id = StoredSessionID.sample(1)

    init() throws {
        engine = try TestEngine.shared
        schema = engine.makeSchema()
    }

    private func open(limit: Duration = .seconds(120)) throws -> PostgreSQLJournal {
        try PostgreSQLJournal(try engine.address(), schema: schema, guarantee: .disk, wait: EngineWait(limit: limit))
    }

    @Test
    func `a second process does not open the journal of one that is connected`() throws {
        let first = try open()
        let error = failure { _ = try open(limit: .milliseconds(1)) }
        #expect(error?.kind == .held)
        #expect(error?.detail.contains("process ") == true)
        try first.commit { $0.add(.store(.sample(id))) }
    }

    @Test
    func `a process that has closed the journal keeps nobody waiting`() throws {
        let first = try open()
        try first.close()
        try open(limit: .zero).commit { $0.add(.store(.sample(id))) }
    }

    @Test
    func `a process whose journal was taken over stores nothing any more`() throws {
        let first = try open()
        try first.commit { $0.add(.store(.sample(id))) }
        try engine.endOwner(of: schema)
        let second = try open()
        #expect(failure { try first.commit { $0.append(id, rows: 1...1) } }?.kind == .held)
        #expect(failure { try first.commit { $0.append(id, rows: 1...1) } }?.kind == .closed)
        #expect(failure { _ = try first.load(id) }?.kind == .closed)
        #expect(try second.numbers(of: id) == [])
    }

    @Test
    func `an append over a connection that is still open is rejected after a takeover`() throws {
        let first = try open()
        try first.commit { $0.add(.store(.sample(id))) }
        // As if the engine had lost sight of a connection that works.
        try engine.run("UPDATE \(schema).fences SET backend = NULL")
        let second = try open()
        #expect(failure { try first.commit { $0.append(id, rows: 1...1) } }?.kind == .held)
        #expect(try second.numbers(of: id) == [])
    }

    @Test
    func `an idle process notices that its journal was taken over`() throws {
        let first = try open()
        try first.verify()
        try engine.endOwner(of: schema)
        _ = try open()
        #expect(failure { try first.verify() }?.kind == .held)
    }

    @Test
    func `a takeover waits for the transaction in progress, and finds what it stored`() throws {
        let first = try open()
        try first.commit { $0.add(.store(.sample(id))) }
        try engine.run("UPDATE \(schema).fences SET backend = NULL")
        // A transaction of the first process that has not ended.
        let connection = try PostgreSQLConnection(try engine.address(), EngineWait(limit: .seconds(120)))
        _ = try connection.run(
            PostgreSQLSchema.requests([
                "BEGIN", "SELECT \(schema).hold(epoch, connection) FROM \(schema).fences",
                "INSERT INTO \(schema).journal(session, i, content) SELECT id, 1, '' FROM \(schema).sessions",
            ]))
        let second = Lock(UnsafeTransfer<PostgreSQLJournal?>(nil))
        let call = Call { [self] in
            let opened = UnsafeTransfer(Optional(try open()))
            second.withLock { $0 = opened }
        }
        try eventually {
            try engine.run(
                """
                SELECT count(*)::text FROM pg_stat_activity
                WHERE query LIKE '%take_over%' AND wait_event_type = 'Lock' AND pg_blocking_pids(pid) <> '{}'
                """) != "0"
        }
        #expect(!call.hasEnded)
        _ = try connection.run(PostgreSQLSchema.requests(["COMMIT"]))
        try call.value()
        #expect(try second.withLock { $0 }.value?.numbers(of: id) == [1])
    }

    @Test
    func `the sessions of a database that is a copy get new epochs`() throws {
        let first = try open()
        #expect(try first.property(JournalProperty.copied) == nil)
        try first.close()
        try engine.run("UPDATE \(schema).properties SET value = 'elsewhere' WHERE name = 'place'")
        let second = try open()
        #expect(second.mayLackCommits)
        #expect(try second.property(JournalProperty.copied) == [1])
        try second.close()
        #expect(try !open().mayLackCommits)
    }

    @Test
    func `a role needs nothing but its schema`() throws {
        try engine.run("CREATE ROLE \(schema) LOGIN")
        try engine.run("CREATE SCHEMA \(schema) AUTHORIZATION \(schema)")
        func open(limit: Duration = .seconds(120)) throws -> PostgreSQLJournal {
            try PostgreSQLJournal(
                try engine.address(user: schema), schema: schema, guarantee: .disk, wait: EngineWait(limit: limit))
        }
        let first = try open()
        try first.commit { $0.add(.store(.sample(id))) }
        #expect(failure { _ = try open(limit: .milliseconds(1)) }?.kind == .held)
        try engine.endOwner(of: schema)
        try first.commit { $0.append(id, rows: 1...1) }
        #expect(try first.numbers(of: id) == [1])
    }

    @Test
    func `the schema of a newer build is not opened`() throws {
        try open().close()
        try engine.run("UPDATE \(schema).version SET version = 99")
        #expect(failure { _ = try open() }?.kind == .newer)
    }

    @Test
    func `a schema without a table is not opened`() throws {
        try open().close()
        try engine.run("DROP TABLE \(schema).journal")
        #expect(failure { _ = try open() }?.kind == .damaged)
    }
}
