import Locking
import MachineHost
import Testing

@testable import PostgreSQLJournal

@Suite(.enabled(if: TestEngine.isInstalled, TestEngine.missing))
struct LostConnectionTests {
    private let engine: TestEngine
    private let proxy: FaultyProxy
    private let schema: String
    private let id = StoredSessionID.sample(1)

    init() throws {
        engine = try TestEngine.shared
        proxy = try FaultyProxy(to: engine.socket)
        schema = engine.makeSchema()
    }

    private func open(_ wait: EngineWait = EngineWait(limit: .seconds(120))) throws -> PostgreSQLJournal {
        let journal = try PostgreSQLJournal(try engine.address(proxy), schema: schema, guarantee: .disk, wait: wait)
        try journal.commit { $0.add(.store(.sample(id))) }
        return journal
    }

    @Test(arguments: FaultyProxy.Fault.allCases)
    func `a batch whose connection breaks is stored once`(fault: FaultyProxy.Fault) throws {
        let journal = try open()
        try journal.commit { $0.append(id, rows: 1...2) }
        proxy.fail(fault)
        try journal.commit { batch in
            batch.append(id, rows: 3...4)
            batch.add(.set(property: "batch", value: [2]))
        }
        #expect(proxy.faults == 1)
        #expect(try journal.numbers(of: id) == [1, 2, 3, 4])
        #expect(try journal.property("batch") == [2])
        try journal.commit { $0.append(id, rows: 5...5) }
        #expect(try engine.run("SELECT string_agg(i::text, ' ' ORDER BY i) FROM \(schema).journal") == "1 2 3 4 5")
        proxy.end()
    }

    @Test(arguments: FaultyProxy.Fault.allCases)
    func `a batch with a removal and a snapshot is the same when it is stored again`(fault: FaultyProxy.Fault) throws {
        let journal = try open()
        let other = StoredSessionID.sample(2)
        try journal.commit { batch in
            batch.add(.store(.sample(other, name: "main")))
            batch.append(id, rows: 1...4)
        }
        proxy.fail(fault)
        try journal.commit { batch in
            batch.append(id, rows: 5...6)
            batch.add(.store(.sample(id, covers: 5, name: "main")))
            batch.append(other, rows: 7...8)
            batch.add(.remove(other))
            batch.add(.store(.sample(other, covers: 8)))
            batch.append(other, rows: 9...9)
        }
        #expect(try journal.numbers(of: id) == [6])
        #expect(try journal.numbers(of: other) == [9])
        #expect(try journal.summary(of: id)?.name?.text == "main")
        #expect(try journal.summary(of: other)?.name == nil)
        proxy.end()
    }

    @Test
    func `what the engine receives late over a lost connection is not stored`() throws {
        let journal = try open()
        proxy.fail(.keepBack)
        try journal.commit { $0.add(.set(property: "value", value: [1])) }
        try journal.commit { $0.add(.set(property: "value", value: [2])) }
        try proxy.deliver()
        #expect(try journal.property("value") == [2])
        proxy.end()
    }

    @Test
    func `an attempt to connect that the engine receives late does not replace the connection`() throws {
        let journal = try open()
        // The batch; then, of the next connection, its beginning, the engine's state and the new number.
        proxy.fail(.cutBefore, nil, nil, .keepBack)
        try journal.commit { $0.append(id, rows: 1...1) }
        #expect(proxy.faults == 2)
        try proxy.deliver()
        try journal.commit { $0.append(id, rows: 2...2) }
        #expect(try journal.numbers(of: id) == [1, 2])
        proxy.end()
    }

    @Test
    func `a call waits for the engine, and reports that it does`() throws {
        let reports = Reports()
        let journal = try UnsafeTransfer(open(reports.wait()))
        // Opening may have taken longer than the limit.
        while !reports.isEmpty { _ = reports.next() }
        proxy.refuse(true)
        let call = Call { [id] in try journal.value.commit { $0.append(id, rows: 1...1) } }
        #expect(try #require(reports.next()).isEmpty == false)
        #expect(!call.hasEnded)
        proxy.refuse(false)
        try call.value()
        #expect(reports.next() == nil)
        #expect(try journal.value.numbers(of: id) == [1])
        proxy.end()
    }

    @Test
    func `a call that is abandoned throws, and so do later ones`() throws {
        let reports = Reports()
        let wait = reports.wait()
        let journal = try UnsafeTransfer(open(wait))
        while !reports.isEmpty { _ = reports.next() }
        proxy.refuse(true)
        let call = Call { [id] in try journal.value.commit { $0.append(id, rows: 1...1) } }
        _ = reports.next()
        wait.abandon()
        #expect(failure { try call.value() }?.kind == .closed)
        #expect(failure { _ = try journal.value.load(id) }?.kind == .closed)
        proxy.end()
    }

    @Test
    func `a journal without an engine is not opened`() throws {
        proxy.refuse(true)
        let error = failure { _ = try open(EngineWait(limit: .milliseconds(1))) }
        #expect(error?.kind == .inputOutput)
        #expect(error?.detail.contains("postgresql://granary@127.0.0.1:\(proxy.port)/postgres") == true)
        proxy.end()
    }

    @Test
    func `a session that is ended by the administrator continues`() throws {
        let journal = try open()
        try engine.endOwner(of: schema)
        try journal.commit { $0.append(id, rows: 1...1) }
        #expect(try journal.numbers(of: id) == [1])
        proxy.end()
    }
}
