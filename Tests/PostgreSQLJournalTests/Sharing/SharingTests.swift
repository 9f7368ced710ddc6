import Locking
import MachineHost
import Testing

@testable import PostgreSQLJournal

@Suite(.enabled(if: TestEngine.isInstalled, TestEngine.missing))
struct SharingTests {
    private let engine: TestEngine
    private let schema: String
    private let id = StoredSessionID.sample(1)
    private let other = StoredSessionID.sample(2)

    init() throws {
        engine = try TestEngine.shared
        schema = engine.makeSchema()
    }

    private func open(
        _ address: String?, limit: Duration = .seconds(120), _ proxy: FaultyProxy? = nil
    ) throws -> PostgreSQLJournal {
        try PostgreSQLJournal(
            try engine.address(proxy), schema: schema, guarantee: .disk, wait: EngineWait(limit: limit),
            sharedAs: address)
    }

    /// Opens the journal as two nodes, of which the first one has created a session.
    private func openTwo() throws -> (PostgreSQLJournal, PostgreSQLJournal) {
        let (a, b) = (try open("a"), try open("b"))
        #expect(try a.commit(under: [id: 0]) { $0.add(.store(.sample(id))) } == [])
        return (a, b)
    }

    private func lease(of node: PostgreSQLJournal, seenBy other: PostgreSQLJournal) throws -> NodeLease {
        try #require(try other.renewLease().first { $0.node == node.node })
    }

    /// The numbers of all rows in the database.
    private func rows() throws -> String? {
        try engine.run("SELECT string_agg(i::text, ' ' ORDER BY i) FROM \(schema).journal")
    }

    @Test
    func `nodes share a journal, and each session has one holder`() throws {
        let (a, b) = try openTwo()
        let node = try #require(a.node)
        let holder = SessionHolder(node: node, epoch: 1, address: "a")
        #expect(try b.holder(of: id) == holder)
        #expect(try b.claim(id) == holder)
        #expect(try a.claim(id) == holder)
        #expect(try b.claim(other) == nil && b.holder(of: other) == nil)
        #expect(try a.commit(under: [id: 1]) { $0.append(id, rows: 1...2) } == [])
        #expect(try b.numbers(of: id) == [1, 2])
    }

    @Test
    func `a lease is a counter that every node sees`() throws {
        let (a, b) = try openTwo()
        let (first, second) = (try #require(a.node), try #require(b.node))
        #expect(
            try a.renewLease() == [
                NodeLease(node: first, counter: 2, address: "a"), NodeLease(node: second, counter: 1, address: "b"),
            ])
        #expect(try b.renewLease().map(\.counter) == [2, 2])
    }

    @Test
    func `a node whose lease does not change is fenced, and its sessions are claimed`() throws {
        let (a, b) = try openTwo()
        #expect(try b.fence(lease(of: a, seenBy: b)))
        #expect(try b.holder(of: id) == nil)
        #expect(try b.claim(id)?.epoch == 2)
        #expect(try b.commit(under: [id: 2]) { $0.append(id, rows: 1...1) } == [])
        #expect(failure { _ = try a.commit(under: [id: 1]) { $0.append(id, rows: 1...1) } }?.kind == .held)
        #expect(failure { _ = try a.renewLease() }?.kind == .closed)
        #expect(try b.renewLease().map(\.node) == [b.node])
        #expect(try b.numbers(of: id) == [1])
    }

    @Test
    func `a node that has renewed its lease is not fenced`() throws {
        let (a, b) = try openTwo()
        let seen = try lease(of: a, seenBy: b)
        _ = try a.renewLease()
        #expect(try !b.fence(seen))
        #expect(try b.claim(id)?.node == a.node)
        #expect(try a.commit(under: [id: 1]) { $0.append(id, rows: 1...1) } == [])
    }

    @Test
    func `an idle node finds itself fenced when it renews its lease`() throws {
        let (a, b) = try openTwo()
        #expect(try b.fence(lease(of: a, seenBy: b)))
        #expect(try b.fence(NodeLease(node: #require(a.node), counter: 0, address: "a")))
        #expect(failure { _ = try a.renewLease() }?.kind == .held)
    }

    @Test(arguments: [false, true])
    func `a node is fenced when its transaction has ended, and what it stored is found`(isRenewal: Bool) throws {
        let (a, b) = try openTwo()
        let seen = try lease(of: a, seenBy: b)
        // A transaction of the first node that has not ended.
        let connection = try PostgreSQLConnection(try engine.address(), EngineWait(limit: .seconds(120)))
        _ = try connection.run(
            PostgreSQLSchema.requests([
                "BEGIN", "SELECT \(schema).hold(epoch, connection) FROM \(schema).fences WHERE address = 'a'",
                isRenewal
                    ? "UPDATE \(schema).leases SET counter = 9 WHERE node = \(seen.node.number)"
                    : "INSERT INTO \(schema).journal(session, i, content) SELECT id, 1, '' FROM \(schema).sessions",
            ]))
        let node = UnsafeTransfer(b)
        let isFenced = Lock(false)
        let call = Call {
            let found = try node.value.fence(seen)
            isFenced.withLock { $0 = found }
        }
        try eventually {
            try engine.run(
                """
                SELECT count(*)::text FROM pg_stat_activity
                WHERE query LIKE '%fence(%' AND wait_event_type = 'Lock' AND pg_blocking_pids(pid) <> '{}'
                """) != "0"
        }
        #expect(!call.hasEnded)
        _ = try connection.run(PostgreSQLSchema.requests(["COMMIT"]))
        try call.value()
        #expect(isFenced.withLock { $0 } == !isRenewal)
        #expect(try b.claim(id)?.epoch == (isRenewal ? 1 : 2))
        #expect(try b.numbers(of: id) == (isRenewal ? [] : [1]))
    }

    @Test
    func `exactly one of several nodes claims a session`() throws {
        let (a, b) = try openTwo()
        let nodes = [try open("c"), try open("d"), b].map { UnsafeTransfer($0) }
        #expect(try b.fence(lease(of: a, seenBy: b)))
        let found = Lock<[SessionHolder?]>([])
        let calls = nodes.map { node in
            Call { [id] in
                let holder = try node.value.claim(id)
                found.withLock { $0.append(holder) }
            }
        }
        for call in calls { try call.value() }
        let holders = found.withLock { $0 }
        #expect(holders.count == 3 && holders.allSatisfy { $0 != nil && $0 == holders[0] })
        #expect(holders[0]?.epoch == 2)
    }

    @Test
    func `two nodes that fence each other do not wait for each other`() throws {
        let (a, b) = try openTwo()
        let leases = (try lease(of: a, seenBy: b), try lease(of: b, seenBy: a))
        // The counter that the first node has just seen is not the one that the second has.
        let nodes = (UnsafeTransfer(a), UnsafeTransfer(b))
        let seen = NodeLease(node: leases.0.node, counter: leases.0.counter + 1, address: "a")
        let calls = [Call { _ = try nodes.0.value.fence(leases.1) }, Call { _ = try nodes.1.value.fence(seen) }]
        let kinds = calls.map { call in failure { try call.value() }?.kind }
        #expect(kinds.filter { $0 == .held }.count == 1 && kinds.contains(nil))
        #expect(try engine.run("SELECT count(*)::text FROM \(schema).fences") == "1")
    }

    @Test
    func `a session is moved, and its former holder stores nothing of it any more`() throws {
        let (a, b) = try openTwo()
        let (target, former) = (try #require(b.node), try #require(a.node))
        #expect(try a.move(id, epoch: 1, to: target) == SessionHolder(node: target, epoch: 2, address: "b"))
        // Again, as after a lost confirmation.
        #expect(try a.move(id, epoch: 1, to: target)?.epoch == 2)
        #expect(try b.claim(id)?.epoch == 2)
        #expect(try a.commit(under: [id: 1]) { $0.append(id, rows: 1...1) } == [id])
        #expect(try b.move(id, epoch: 2, to: former)?.epoch == 3)
        // What the node had wanted to store when it held the session before.
        #expect(try a.commit(under: [id: 1]) { $0.append(id, rows: 1...1) } == [id])
        #expect(try a.commit(under: [id: 3]) { $0.append(id, rows: 2...2) } == [])
        #expect(try rows() == "2")
    }

    @Test
    func `a batch with a session of another node stores nothing, and names it`() throws {
        let (a, b) = try openTwo()
        #expect(try b.commit(under: [other: 0]) { $0.add(.store(.sample(other))) } == [])
        let lost = try b.commit(under: [id: 1, other: 1]) { batch in
            batch.append(other, rows: 1...1)
            batch.append(id, rows: 2...2)
            batch.add(.set(property: "batch", value: [1]))
        }
        #expect(lost == [id])
        #expect(try rows() == nil)
        #expect(try b.property("batch") == nil)
        // The node continues with its own sessions.
        #expect(try b.commit(under: [other: 1]) { $0.append(other, rows: 1...1) } == [])
        #expect(try a.numbers(of: other) == [1])
    }

    @Test
    func `a session that was removed or whose number is unknown is not stored again`() throws {
        let (a, b) = try openTwo()
        #expect(try a.move(id, epoch: 1, to: #require(b.node))?.epoch == 2)
        #expect(try b.commit(under: [id: 2]) { $0.add(.remove(id)) } == [])
        #expect(try a.commit(under: [id: 1]) { $0.add(.store(.sample(id))) } == [id])
        #expect(try a.commit(under: [:]) { $0.add(.store(.sample(id))) } == [id])
        #expect(failure { try a.commit { $0.add(.store(.sample(id))) } }?.kind == .unsupported)
        #expect(try a.summary(of: id) == nil)
    }

    @Test
    func `of two sessions that get the same name at the same moment, one is stored`() throws {
        let (a, b) = try openTwo()
        let nodes = [UnsafeTransfer(a), UnsafeTransfer(b)]
        let ids = [StoredSessionID.sample(3), StoredSessionID.sample(4)]
        let lost = Lock<[StoredSessionID]>([])
        let calls = zip(nodes, ids).map { node, id in
            Call {
                let found = try node.value.commit(under: [id: 0]) { $0.add(.store(.sample(id, name: "main"))) }
                lost.withLock { $0 += found }
            }
        }
        for call in calls { try call.value() }
        let rejected = lost.withLock { $0 }
        #expect(rejected.count == 1)
        let name = SessionName(owner: SessionOwner(high: 1, low: 2), text: "main")
        let stored = try a.session(named: name, of: "counter")
        #expect(stored == ids.first { $0 != rejected.first })
    }

    /// The first node stores the name before the batch of the second one has ended: after it was verified, or also before.
    @Test(arguments: [false, true])
    func `a session whose name another node stores meanwhile is lost`(isVerified: Bool) throws {
        let (a, b) = try openTwo()
        let (busy, third) = (StoredSessionID.sample(2), StoredSessionID.sample(3))
        #expect(try b.commit(under: [busy: 0]) { $0.add(.store(.sample(busy))) } == [])
        let connection = try PostgreSQLConnection(try engine.address(), EngineWait(limit: .seconds(120)))
        let naming = """
            UPDATE \(schema).sessions SET name = 'main', owner = '00000000-0000-0001-0000-000000000002'
            WHERE node = \(try #require(a.node).number)
            """
        let lock = "SELECT FROM \(schema).sessions WHERE node = \(try #require(b.node).number) FOR UPDATE"
        _ = try connection.run(PostgreSQLSchema.requests(["BEGIN", isVerified ? lock : naming]))
        let node = UnsafeTransfer(b)
        let lost = Lock<[StoredSessionID]>([])
        let call = Call {
            let found = try node.value.commit(under: [busy: 1, third: 0]) { batch in
                batch.add(.update(SessionSnapshot.sample(busy).summary))
                batch.add(.store(.sample(third, name: "main")))
            }
            lost.withLock { $0 = found }
        }
        try eventually {
            try engine.run(
                """
                SELECT count(*)::text FROM pg_stat_activity
                WHERE query LIKE '\(isVerified ? "UPDATE" : "INSERT INTO") sessions%' AND wait_event_type = 'Lock'
                    AND pg_blocking_pids(pid) <> '{}'
                """) != "0"
        }
        _ = try connection.run(PostgreSQLSchema.requests((isVerified ? [naming] : []) + ["COMMIT"]))
        try call.value()
        #expect(lost.withLock { $0 } == [third])
        #expect(try a.summary(of: id)?.name?.text == "main")
    }

    @Test
    func `each node finds its own sessions due, and those that nobody holds`() throws {
        let (a, b) = (try open("a"), try open("b"))
        func due(_ number: UInt64) -> SessionSnapshot {
            var snapshot = SessionSnapshot.sample(.sample(number))
            snapshot.summary.wakesAt = Int64(number) * 1_000_000
            return snapshot
        }
        #expect(try a.commit(under: [.sample(1): 0]) { $0.add(.store(due(1))) } == [])
        #expect(try b.commit(under: [.sample(2): 0]) { $0.add(.store(due(2))) } == [])
        #expect(try a.sessions(dueAt: 9_000_000, limit: 9).map(\.id) == [.sample(1)])
        #expect(try b.sessions(dueAt: 9_000_000, limit: 9).map(\.id) == [.sample(2)])
        #expect(try b.nextDueTime() == 2_000_000)
        // The last row of a session says when it must be woken.
        _ = try a.commit(under: [.sample(1): 1]) { batch in
            batch.append(session: .sample(1), number: 1, previous: 0, wakesAt: 3_000_000) { $0.append(1) }
        }
        #expect(try b.fence(lease(of: a, seenBy: b)))
        #expect(try b.sessions(dueAt: 9_000_000, limit: 9).map(\.id) == [.sample(2), .sample(1)])
    }

    @Test
    func `a node that closes the journal releases its sessions`() throws {
        let (a, b) = try openTwo()
        try a.close()
        #expect(try b.claim(id)?.node == b.node)
        #expect(try b.renewLease().count == 1)
    }

    @Test
    func `nodes keep out a process that wants the journal for itself, and the reverse`() throws {
        let alone = try open(nil)
        #expect(alone.node == nil)
        try alone.commit { $0.add(.store(.sample(id))) }
        #expect(failure { _ = try open("a", limit: .milliseconds(1)) }?.kind == .held)
        try alone.close()
        let a = try open("a")
        #expect(try a.claim(id)?.epoch == 2)
        #expect(failure { _ = try open(nil, limit: .milliseconds(1)) }?.kind == .held)
        #expect(try a.commit(under: [id: 2]) { $0.append(id, rows: 1...1) } == [])
        try a.close()
        #expect(try open(nil).numbers(of: id) == [1])
    }

    @Test(arguments: FaultyProxy.Fault.allCases)
    func `a batch of a node whose connection breaks is stored once`(fault: FaultyProxy.Fault) throws {
        let proxy = try FaultyProxy(to: engine.socket)
        let (a, b) = (try open("a", proxy), try open("b"))
        #expect(try a.commit(under: [id: 0]) { $0.add(.store(.sample(id))) } == [])
        proxy.fail(fault)
        let lost = try a.commit(under: [id: 1, other: 0]) { batch in
            batch.append(id, rows: 1...2)
            batch.add(.remove(id))
            batch.add(.store(.sample(other, name: "main")))
            batch.append(other, rows: 3...4)
        }
        #expect(lost == [])
        #expect(proxy.faults == 1)
        #expect(try b.summary(of: id) == nil)
        #expect(try b.numbers(of: other) == [3, 4])
        #expect(try b.holder(of: other)?.node == a.node)
        proxy.end()
    }

    @Test
    func `a schema of the first version becomes that of this build`() throws {
        let first = try open(nil)
        try first.commit { $0.add(.store(.sample(id))) }
        try first.commit { $0.append(id, rows: 1...1) }
        try first.close()
        let connection = try PostgreSQLConnection(try engine.address(), EngineWait(limit: .seconds(120)))
        _ = try connection.run(
            PostgreSQLSchema.requests([
                "DROP TABLE \(schema).leases", "ALTER TABLE \(schema).fences DROP address",
                "ALTER TABLE \(schema).sessions DROP node, DROP node_epoch",
                "DROP FUNCTION \(schema).take_over", "DROP FUNCTION \(schema).fence", "DROP FUNCTION \(schema).claim",
                "DROP FUNCTION \(schema).reject", "UPDATE \(schema).version SET version = 1",
                """
                CREATE FUNCTION \(schema).take_over(new_holder text, OUT new_epoch bigint, OUT connected text)
                LANGUAGE plpgsql AS $$
                BEGIN
                    DELETE FROM \(schema).fences;
                    INSERT INTO \(schema).fences(holder, backend, backend_started)
                        SELECT new_holder, pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()
                        RETURNING epoch INTO new_epoch;
                END $$
                """,
            ]))
        let (a, b) = (try open("a"), try open("b"))
        #expect(try engine.run("SELECT version::text FROM \(schema).version") == "2")
        #expect(try b.holder(of: id) == nil)
        #expect(try a.claim(id)?.epoch == 2)
        #expect(try a.commit(under: [id: 2]) { $0.append(id, rows: 2...2) } == [])
        #expect(try b.numbers(of: id) == [1, 2])
    }
}

extension SharedJournal {
    fileprivate func commit(
        under epochs: [StoredSessionID: Int64], _ fill: (inout JournalBatch) throws -> Void
    ) throws -> [StoredSessionID] {
        var batch = JournalBatch()
        try fill(&batch)
        return try commit(batch, under: epochs)
    }
}
